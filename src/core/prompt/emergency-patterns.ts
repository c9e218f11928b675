// What a possible emergency sounds like. A line is a pattern: its parts, separated by spaces, must stand near each other
// in any order. `|` separates alternatives. An alternative is the beginning of a word, or with `=` the whole word.
// Accents and apostrophes are folded, as in core/text/words.ts.
import type { Language } from "#core/text/language.ts";

export type EmergencyKind = "self-harm" | "medical";

export const EMERGENCY_PATTERNS: Readonly<Record<EmergencyKind, Readonly<Record<Language, string>>>> = {
  "self-harm": {
    en: `
      suicid
      =myself kill|killing|hurting|harm|cutting
      =end|ending|take|taking =my =life
      want|wish|rather|better =die|=dead
      =end|=ending =it =all
      =dont|=not|=no want|reason|point =live|=living|=alive
    `,
    de: `
      suizid|selbstmord
      =mich umbring|umzubring|toten|ritzen
      =mich =bringe =um
      will|mochte|wunschte =sterben|=tot
      =nicht =mehr =leben will|mochte|kann
    `,
    fr: `
      suicid
      =me =tuer
      =veux|=envie|=voudrais =mourir
      =plus =vivre =veux|=envie|=peux
      =finir =vie
    `,
    es: `
      matarme|suicid
      =quiero|=quisiera|=ganas =morir|=morirme
      =no =quiero =vivir
      =quitarme =vida
    `,
    it: `
      uccidermi|ammazzarmi|suicid
      =voglio|=vorrei =morire
      =non =voglio =vivere
      =togliermi =vita
    `,
  },
  medical: {
    en: `
      breath =cant|=cannot|=unable|struggl|trouble|difficult|=hard|=hardly|=barely|=stopped|=isnt|=not|=short|shortness
      gasping|choking|anaphyla|seizure|convuls|unconscious|unresponsive|overdos
      throat|tongue|lips|=face swell|swollen|=closing|=closed|tight
      chest =pain|=pains|pressure|tight|hurt|=aches|crush|=heavy
      =heart =attack
      =stroke =having|=had|=has|=signs|=symptoms|=think|=possible
      =face|=mouth|=arm|=side droop|numb|paraly
      speech|words slurr
      =passed =out
      =fainted|collapsed
      =wont|=not|=cant =wake|=waking|=responding
      =lost|=losing consciousness
      bleed heav|sever|badly|=stop|=lot|much|profus|everywhere
      =took|=taken|swallowed =too|=whole|=entire pill|tablet|medic|bottle|=meds
      swallowed bleach|poison|batter
      poisoned
      allerg reaction =having|=getting|=have|severe|=bad|=now
      ambulance =call|=need
      =dying =im|=am|=is|=hes|=shes
    `,
    de: `
      =keine|=kaum|=schlecht =luft|=atem
      =nicht|=kaum|=schwer =atmen|=atme|=atmet
      atemnot|erstick|anaphyla|krampfanfall|bewusstlos|ohnmacht|uberdos|vergift
      hals|zunge|lippe|gesicht|rachen schwill|schwell|geschwoll|angeschwoll|zuschnur|zugeschwoll
      brustschmerz|brustenge|herzinfarkt|herzanfall|schlaganfall
      =brust|=brustkorb schmerz|druck|=eng|stech|=weh
      =reagiert|=wacht|=aufwacht =nicht
      blute|blutung =stark|=nicht|=viel|heftig
      =zu =viel|=viele tablette|pille|medikament =genommen|=geschluckt
      notarzt|rettungswagen|krankenwagen
      =sterbe =ich
    `,
    fr: `
      respir =peux|=peut|arriv|difficul|=mal|=peine|=plus
      etouff|inconscient|evanoui|hemorrag|surdos|overdos|empoisonn|convulsi|anaphyla
      gorge|langue|levre|visage gonfl|=serre|enfl
      poitrine douleur|=mal|=serre|oppress|pression
      =crise =cardiaque
      infarctus|=avc
      =perdu =connaissance
      saign beaucoup|=fort|arret|abond
      =trop medicament|comprime|cachet|pilule =pris|=prise|avale
      ambulance|=samu =appel|=appeler|=besoin
    `,
    es: `
      respir =puedo|=puede|=cuesta|dificult|=falta|=apenas
      =falta =aire
      asfixi|atragant|inconsciente|desmay|sobredosis|envenen|infarto|ictus|hemorrag|anafila
      =ahogo|ahogando
      garganta|lengua|labios|=cara hinch|=cierra|cerrando
      pecho dolor|duele|presion|opres
      =ataque corazon|cardiaco
      sangr =mucho|=mucha|=para|abund
      demasiad pastilla|medic =tomado|=tome
      ambulancia =llama|=llamar|=necesito
    `,
    it: `
      respir =riesco|=riesce|=fatica|difficolta|=non
      =manca =aria|=fiato|=respiro
      soffoc|incosciente|svenut|avvelen|infarto|ictus|emorrag|anafila|overdos
      gola|lingua|labbra|=viso|=faccia gonfi|chiud|string
      petto dolor|=male|oppress|pressione
      =perso conoscenza|=sensi
      sanguin =molto|=tanto|ferma|smette
      =troppe|=troppi pastigli|pillol|medicin|compress
      ambulanza =chiama|=chiamare|=serve
    `,
  },
};
