// Lines that hold no fact worth remembering: greetings, questions, thanks, requests, moods, and talk about the work at hand.
export const SMALL_TALK: readonly string[] = `
Hi!
Hello there
Hey, how are you?
Good morning!
Good evening, assistant.
Hi, I'm good, thanks. How about you?
I'm fine.
I'm great, thank you!
I'm doing well today.
Not much, just chilling.
What's up?
Thanks a lot!
Thank you so much for your help.
That was really helpful.
Perfect, thanks.
Great, that works.
Awesome!
Cool.
Nice one.
Ok.
Okay, got it.
Sure.
Yes please.
No, thanks.
Maybe later.
I see.
I understand.
I know.
I don't know.
I think so.
I don't think so.
I guess you're right.
I agree with you.
I'm not sure about that.
I'm sure it will be fine.
I hope so.
I hope you have a nice day.
I wish I could help.
I wonder what that means.
I mean, it's complicated.
I have a question.
I have a quick question about this.
I have an idea.
I have no idea.
I had a great time.
I have a problem with my code.
I've got a bug in my script.
I need help with an essay.
I need your advice.
I need to think about it.
I want to know more about black holes.
I want you to write a poem.
I'd like a summary of this text.
I'd love to hear more.
I would like to learn how engines work.
I'm looking for a good recipe for dinner.
I'm trying to understand recursion.
I'm wondering if this is correct.
I'm curious about quantum physics.
I'm asking because it matters.
I'm just kidding.
I'm back.
I'm ready.
I'm done.
I'm confused.
I'm stuck.
I'm bored.
I'm so tired right now.
I'm a bit lost.
I'm a little confused by your answer.
I'm sorry about that.
I'm happy to help.
I'm glad you like it.
I'm impressed!
I'm listening.
I'm here.
I love it!
I like that idea.
I love this song.
I hate this.
I like your style.
I liked the first version better.
I prefer the second one.
I'll try that.
I'll let you know.
I'll be back later.
I will think about it.
I can't wait!
I can't believe it.
I can do that.
I could use some help.
I should go now.
I must say that was fast.
I might go there.
I may be wrong.
If I were you I would wait.
Let's start.
Let's go!
Let me think.
Let me know when you're done.
Give me a minute.
Tell me a joke.
Tell me more.
Write me a haiku about autumn.
Please translate this to French.
Please summarize the following article.
Can you explain that again?
Could you make it shorter?
Would you mind rewriting the intro?
Do you know any good books?
Are you there?
Are you a robot?
Who are you?
What can you do?
What is the capital of France?
What's the weather like?
How do I reverse a list in Python?
How does photosynthesis work?
Why is the sky blue?
When was the Eiffel Tower built?
Where is Mount Fuji?
Which one is better?
Is that right?
Is it going to rain tomorrow?
Should I take an umbrella?
Can I eat this?
Do I need a visa?
Am I allergic to anything?
What did I tell you about my trip?
Where do I live?
What is my name?
Remind me to breathe.
Show me an example.
Make it funnier.
Try again.
Go on.
Continue.
Stop.
Never mind.
Forget it.
Wait a second.
Hold on.
One moment please.
Just a moment.
Haha, that's funny.
Lol.
Wow, that's amazing!
Oh no.
Oh well.
Hmm, interesting.
Well, you know how it is.
It is what it is.
It's late.
It was nice talking to you.
That's a good point.
That makes sense.
This is great.
This is my first message.
There you go.
Here is the text.
You are the best.
You're welcome.
You did a great job.
Your answer was wrong.
My bad.
My apologies.
My pleasure.
My question is about grammar.
My code doesn't compile.
My function returns null.
My script was broken by the update.
My test fails with an error.
My point is that it works.
My guess is that it fails.
My mind is blown.
My goodness, that was quick.
The function should return a number.
The sky is blue today.
The answer is 42.
Water boils at 100 degrees.
Paris is the capital of France.
Python is a programming language.
Cats are cute.
Dogs bark.
Everyone knows that.
Somebody told me so.
People like music.
He said no.
She is nice.
They went home.
We should meet some time.
We're almost there.
Our team rocks!
See you later.
See you tomorrow!
Bye for now.
Good night.
Have a great weekend!
Take care.
Talk to you soon.
Happy birthday to you!
Congratulations!
Good luck tomorrow.
Cheers.
Sounds good to me.
Fair enough.
No problem.
No worries.
All good.
Same here.
Me too.
Me neither.
So do I.
Neither do I.
Exactly.
Absolutely.
Of course.
Right.
True.
Honestly, I don't care.
To be honest, I expected more.
By the way, nice work.
I said what I said.
I told you so.
I asked you a question.
I made a typo.
I made a change and the build broke.
I got it.
I got an error message.
I found a mistake in your answer.
I tried that already.
I read your message.
I saw that.
I used the wrong file.
I did what you said.
I was wondering about that.
I was just thinking.
I was going to ask you the same.
I went through the list.
I took a look at the page.
I lost my train of thought, sorry about that.
I left you a message.
I started a new chat.
I finished the task.
I stopped the server.
I ran the tests.
I won't do that again.
I play along.
I take it back.
I keep getting the same error.
I speak from the heart.
I work on it.
I live for this!
I run this command every time.
I write this in a hurry.
Imagine I live in Rome.
Pretend that I am a pirate.
Suppose I have two apples.
Maybe I'm allergic to homework.
As if I cared.
Guten Morgen!
Merci beaucoup.
Gracias por todo.
Ich bin müde.
¿Qué tal?
Ciao, come stai?
asdf
???
...
:)
1234
`
  .trim()
  .split("\n");
