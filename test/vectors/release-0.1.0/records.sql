PRAGMA application_id = 0x506f7274;
PRAGMA user_version = 13;
CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE memories (
    sequence INTEGER PRIMARY KEY,
    memory_id TEXT NOT NULL UNIQUE,
    store_ref TEXT NOT NULL,
    namespace TEXT NOT NULL,
    content TEXT NOT NULL,
    source_agent TEXT NOT NULL,
    created_at TEXT NOT NULL,
    content_digest TEXT NOT NULL
  , pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1))) STRICT;
CREATE TABLE forgotten (
    sequence INTEGER PRIMARY KEY,
    captured INTEGER NOT NULL,
    namespace TEXT NOT NULL
  ) STRICT;
CREATE TABLE access (
    agent_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    allowed INTEGER NOT NULL CHECK (allowed IN (0, 1)),
    PRIMARY KEY (agent_id, namespace)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE access_changes (
    version INTEGER NOT NULL,
    agent_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    was INTEGER CHECK (was IN (0, 1)),
    became INTEGER CHECK (became IN (0, 1)),
    changed_by TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (version, agent_id, namespace)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE receipts (
    answer_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
CREATE TABLE anchors (
    blob_id TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    answer_id TEXT NOT NULL,
    issued_answer TEXT REFERENCES receipts (answer_id),
    anchored_at TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
CREATE TABLE chain_anchors (
    receipt_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    blob_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    claimed TEXT NOT NULL,
    issued INTEGER NOT NULL CHECK (issued IN (0, 1)),
    tx_digest TEXT NOT NULL,
    all_authorized INTEGER NOT NULL CHECK (all_authorized IN (0, 1)),
    ledger_version TEXT NOT NULL,
    anchored_at TEXT NOT NULL
  ) STRICT;
CREATE TABLE chain_requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    agent_id TEXT NOT NULL,
    blob_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    claimed TEXT NOT NULL,
    issued INTEGER NOT NULL CHECK (issued IN (0, 1)),
    requested_at TEXT NOT NULL,
    receipt_id TEXT REFERENCES chain_anchors (receipt_id)
  ) STRICT;
CREATE TABLE transactions (
    tx_digest TEXT PRIMARY KEY,
    bytes BLOB NOT NULL,
    signature TEXT NOT NULL,
    requests TEXT NOT NULL,
    is_open INTEGER NOT NULL CHECK (is_open IN (0, 1))
  ) STRICT;
CREATE TABLE ledger_log (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    tx_digest TEXT NOT NULL UNIQUE,
    bytes BLOB NOT NULL,
    signatures TEXT NOT NULL,
    timestamp_ms INTEGER NOT NULL
  ) STRICT;
CREATE TABLE blob_leases (
    blob_id TEXT PRIMARY KEY,
    end_epoch INTEGER NOT NULL,
    object_id TEXT,
    stored_at TEXT NOT NULL
  ) STRICT;
CREATE TABLE answers (
    answer_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    is_verified INTEGER NOT NULL CHECK (is_verified IN (0, 1)),
    namespaces TEXT NOT NULL
  , blocked_list INTEGER REFERENCES blocked_lists (id)) STRICT, WITHOUT ROWID;
CREATE TABLE answer_hours (
    hour TEXT PRIMARY KEY,
    answers INTEGER NOT NULL,
    used INTEGER NOT NULL,
    verified INTEGER NOT NULL,
    intact INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE kept (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE pin_changes (
    sequence INTEGER PRIMARY KEY,
    captured INTEGER NOT NULL,
    namespace TEXT NOT NULL,
    pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    changed_by TEXT NOT NULL,
    changed_at TEXT NOT NULL
  ) STRICT;
CREATE TABLE totals (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL CHECK (value >= 0)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE policy_links (
    version INTEGER PRIMARY KEY,
    link TEXT NOT NULL
  ) STRICT;
CREATE TABLE blocked_lists (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE
  ) STRICT;
CREATE TABLE blocked_names (
    list INTEGER NOT NULL REFERENCES blocked_lists (id),
    namespace TEXT NOT NULL,
    PRIMARY KEY (list, namespace)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE namespaces (
    name TEXT PRIMARY KEY,
    memories INTEGER NOT NULL,
    head INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE source_agents (
    name TEXT PRIMARY KEY,
    memories INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE index_snapshots (
    number INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL,
    digest TEXT NOT NULL,
    UNIQUE (namespace, digest)
  ) STRICT;
CREATE TABLE published_blobs (
    blob_id TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
CREATE TABLE api_keys (
    number INTEGER PRIMARY KEY,
    key_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    captures TEXT NOT NULL,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT,
    last_used_at TEXT,
    key_hash TEXT NOT NULL,
    previous_hash TEXT,
    previous_ends_at TEXT
  ) STRICT;
CREATE TABLE sessions (
    session_hash TEXT PRIMARY KEY,
    key_id TEXT NOT NULL REFERENCES api_keys (key_id),
    key_hash TEXT NOT NULL,
    created_at TEXT NOT NULL,
    ends_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE names (
    kind TEXT NOT NULL CHECK (kind IN ('namespace', 'agent')),
    name TEXT NOT NULL,
    skeleton TEXT NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (kind, name),
    UNIQUE (kind, skeleton, place)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE skeletons (version TEXT NOT NULL) STRICT;
CREATE TABLE idempotency_keys (
    id TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    holder TEXT NOT NULL,
    lease_end INTEGER NOT NULL,
    begun_at INTEGER NOT NULL,
    outcome TEXT
  ) STRICT, WITHOUT ROWID;
CREATE TABLE decisions (
    sequence INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    principal_id TEXT NOT NULL,
    principal_name TEXT NOT NULL,
    role TEXT NOT NULL,
    agent_id TEXT,
    route TEXT NOT NULL,
    policy_version INTEGER NOT NULL,
    allowed_list INTEGER REFERENCES blocked_lists (id),
    allowed_count INTEGER,
    blocked_list INTEGER REFERENCES blocked_lists (id),
    blocked_count INTEGER,
    outcome TEXT NOT NULL,
    answer_id TEXT,
    memory_id TEXT
  ) STRICT;
CREATE TABLE events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
INSERT INTO counters VALUES ('memory',27);
INSERT INTO counters VALUES ('policy',5);
INSERT INTO memories VALUES (1,'mem_01m7gf8rfr698zrbdfdwxyk22b','vWDev_-bmCuq6KbPwjS62Ir_Dkqfl8B-fQNZhn0EVwg','health','Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.','companion','2026-11-15T20:44:34.679Z','bd60debfff9b982baae8a6cfc234bad88aff0e4a9f97c07e7d0359867d045708',1);
INSERT INTO memories VALUES (2,'mem_01m7gf8rfrg76ny5m4zvd2acjd','5-ldTlOnguIz_-Qjj7uEcSI9dwdNlJdJ6UubabvtxW0','health','Takes 10 mg of cetirizine every morning during the pollen season.','companion','2026-11-15T20:44:34.680Z','e7e95d4e53a782e233ffe4238fbb8471223d77074d949749e94b9b69bbedc56d',0);
INSERT INTO memories VALUES (3,'mem_01m7gf8rfre831r4epqz31pjcx','zIVD4riF5crf63ziRFvukkujeqWkKJxxMMss0mjuEhs','health','Blood pressure was 128 over 82 at the check-up in March.','companion','2026-11-15T20:44:34.680Z','cc8543e2b885e5cadfeb7ce2445bee924ba37aa5a4289c7130cb2cd268ee121b',0);
INSERT INTO memories VALUES (4,'mem_01m7gf8rfr0yj6401s0ezxhrkr','EspXa8Pqdk6J1M36mLGjZSZKTCCcTJHACaIhGRwVV0A','diet','Vegetarian on weekdays, fish at the weekend.','assistant','2026-11-15T20:44:34.680Z','12ca576bc3ea764e89d4cdfa98b1a365264a4c209c4c91c009a221191c155740',0);
INSERT INTO memories VALUES (5,'mem_01m7gf8rfrb65g71n4prgp91mr','OSlmeuQ-wBifCGdQzfZhH45cYNFJx-DoQ-iEpaF34tE','diet','Dinner on Friday is booked at Lotus, the Thai place known for its satay.','assistant','2026-11-15T20:44:34.680Z','3929667ae43ec0189f086750cdf6611f8e5c60d149c7e0e843e884a5a177e2d1',0);
INSERT INTO memories VALUES (6,'mem_01m7gf8rfrdqvh9dx99t76nccg','SS5gGYKlqszpAhCFrStImDuMjVYNZ-Yumr1q472fpRY','diet','No coffee after two in the afternoon, or the night''s sleep is gone.','companion','2026-11-15T20:44:34.680Z','492e601982a5aacce9021085ad2b48983b8c8d560d67e62e9abd6ae3bd9fa516',0);
INSERT INTO memories VALUES (7,'mem_01m7gf8rfr45as63eg41tctmg7','nP0qsKB1-Jerc5JgAYTCYVzmmHhR2Gxi1hnkPBrgqJs','fitness','Runs five kilometres on Tuesday and Thursday mornings before work.','companion','2026-11-15T20:44:34.680Z','9cfd2ab0a075f897ab7392600184c2615ce6987851d86c62d619e43c1ae0a89b',0);
INSERT INTO memories VALUES (8,'mem_01m7gf8rfrewmkxb8r49ekkdgx','6bXhsF1LAv6LIO-v1aLGeLqCnLIyq3jdK-fH5KS8KEI','fitness','The left knee hurts on downhill runs; the physiotherapist advised flat routes until June.','companion','2026-11-15T20:44:34.680Z','e9b5e1b05d4b02fe8b20efafd5a2c678ba829cb232ab78dd2be7c7e4a4bc2842',0);
INSERT INTO memories VALUES (9,'mem_01m7gf8rfrp0z2a627gpt66tkm','zSeHoAt1dwsj_Bpeb2Ov2LnWpdEdoMql1tr3NVGaQZw','travel','Flies to Lisbon on 12 May at 07:40 and prefers an aisle seat.','planner','2026-11-15T20:44:34.680Z','cd2787a00b75770b23fc1a5e6f63afd8b9d6a5d11da0caa5d6daf735519a419c',0);
INSERT INTO memories VALUES (10,'mem_01m7gf8rfrty44dnnaf9264zyx','k7kKFHm9Veom8pmyfeKTwxlBzygUydBZdWqit6VuOq4','travel','The passport expires on 3 September and must be renewed before the summer trip.','planner','2026-11-15T20:44:34.680Z','93b90a1479bd55ea26f299b27de293c31941cf2814c9d059756aa2b7a56e3aae',0);
INSERT INTO memories VALUES (11,'mem_01m7gf8rfrdyfdahfgmzvt3351','1VT2_ccKf9Nt0A5_2FDnexHOB_Ud-FHXU2neVdu6pJQ','work','Presents the quarterly roadmap to the board on 9 May at ten.','planner','2026-11-15T20:44:34.680Z','d554f6fdc70a7fd36dd00e7fd850e77b11ce07f51df851d75369de55dbbaa494',0);
INSERT INTO memories VALUES (12,'mem_01m7gf8rfrpaaxm9htgvvexy3m','zLiM4rn_o4aHv6RtkngxN8aKXIeK-Ddf0LGBjbmtmd8','work','Meets the team lead every Monday at nine.','assistant','2026-11-15T20:44:34.680Z','ccb88ce2b9ffa38687bfa46d92783137c68a5c878af8375fd0b1818db9ad99df',0);
INSERT INTO memories VALUES (13,'mem_01m7gf8rfr8byxrtv7y0xf7rfj','tEB8m-NDD81eC349h7LrwUAzYFb3ArCfmf1EBWlHzmA','finance','Saves 400 euros a month towards a flat; 18,200 euros so far.','advisor','2026-11-15T20:44:34.680Z','b4407c9be3430fcd5e0b7e3d87b2ebc140336056f702b09f99fd44056947ce60',0);
INSERT INTO memories VALUES (14,'mem_01m7gf8rfrqvf95bn93p1yr8gb','0JqZlM3grScga3ULaC--A6qAA8LgaSG-5WtS-CvafmA','finance','The car insurance, 61 euros a month, can be cancelled until the end of November.','advisor','2026-11-15T20:44:34.680Z','d09a9994cde0ad27206b750b682fbe03aa8003c2e06921bee56b52f82bda7e60',0);
INSERT INTO memories VALUES (16,'mem_01m7gf8rhz7aw663z2jk62p5wx','aKYs8wAhwJ9Opw4VKK_ENDBcNCQra6RVrpdHR4jdnTE','garden','Release note 0: the pantry holds 1 jars of quince jelly.','assistant','2026-11-15T20:44:34.751Z','68a62cf30021c09f4ea70e1528afc434305c34242b6ba455ae97474788dd9d31',0);
INSERT INTO memories VALUES (17,'mem_01m7gf8rjhgmtvs9qwm0cxb8vk','YBO6kS20P3Z4sulwTuLUuk8UsC0-4_posn96BXGTE24','pantry','Release note 1: the pantry holds 2 jars of quince jelly.','assistant','2026-11-15T20:44:34.769Z','6013ba912db43f7678b2e9704ee2d4ba4f14b02d3ee3fa68b27f7a057193136e',0);
INSERT INTO memories VALUES (18,'mem_01m7gf8rjrkks97jty7gzt5a8b','HgFiapCXfu2XQtW_THNXVQMVdX7xZUw-Kr3HbEG8boM','garden','Release note 2: the pantry holds 3 jars of quince jelly.','assistant','2026-11-15T20:44:34.776Z','1e01626a90977eed9742d5bf4c7357550315757ef1654c3e2abdc76c41bc6e83',0);
INSERT INTO memories VALUES (19,'mem_01m7gf8rjz952k52a0dsfqfssk','mgsDqaB6XYlDWXznM8kjJAanw0RZSEC4_1LVzYqCM6I','pantry','Release note 3: the pantry holds 4 jars of quince jelly.','assistant','2026-11-15T20:44:34.783Z','9a0b03a9a07a5d8943597ce733c9232406a7c344594840b8ff52d5cd8a8233a2',0);
INSERT INTO memories VALUES (20,'mem_01m7gf8rk4e0eq3gpxvng65pef','UutVpIsWdPXxRSMf4kfDRuh2guRNOI6IX56ISeNP-Dc','garden','Release note 4: the pantry holds 5 jars of quince jelly.','assistant','2026-11-15T20:44:34.788Z','52eb55a48b1674f5f145231fe247c346e87682e44d388e885f9e8849e34ff837',0);
INSERT INTO memories VALUES (21,'mem_01m7gf8rk8aarrajtf2jkmpvvs','6E0EeyhgLYi0QHHqqkLm5q6OwdWVotrvyJda4R3nj3Y','pantry','Release note 5: the pantry holds 6 jars of quince jelly.','assistant','2026-11-15T20:44:34.792Z','e84d047b28602d88b44071eaaa42e6e6ae8ec1d595a2daefc8975ae11de78f76',0);
INSERT INTO memories VALUES (22,'mem_01m7gf8rkcce4dfcjwtnw0889g','jWU6c5A9iN4YJKIFFWiISF0ezsk-XsGz1GOZf2tarcI','garden','Release note 6: the pantry holds 7 jars of quince jelly.','assistant','2026-11-15T20:44:34.796Z','8d653a73903d88de1824a205156888485d1ecec93e5ec1b3d463997f6b5aadc2',0);
INSERT INTO memories VALUES (23,'mem_01m7gf8rkhx9k68v7mwdq37fb9','4owJc7v8kLYjomDRZ8UeNzF2V-uCNjXI9SOqQVNnkjo','pantry','Release note 7: the pantry holds 8 jars of quince jelly.','assistant','2026-11-15T20:44:34.801Z','e28c0973bbfc90b623a260d167c51e37317657eb823635c8f523aa415367923a',0);
INSERT INTO memories VALUES (24,'mem_01m7gf8rknasev4xfj3vt3qwrp','HdRX-vSmUPJcHwTsAcIA8gWOdxE8KxoaZgsWcp-HVbY','garden','Release note 8: the pantry holds 9 jars of quince jelly.','assistant','2026-11-15T20:44:34.805Z','1dd457faf4a650f25c1f04ec01c200f2058e77113c2b1a1a660b16729f8755b6',0);
INSERT INTO memories VALUES (25,'mem_01m7gf8rkx17kqy03hvygs2533','OApsbuCLVXJhGp-Ywx1GT0-IVmkAHBFiSf-yWqO6Z0U','pantry','Release note 9: the pantry holds 10 jars of quince jelly.','assistant','2026-11-15T20:44:34.813Z','380a6c6ee08b5572611a9f98c31d464f4f885669001c116249ffb25aa3ba6745',0);
INSERT INTO memories VALUES (26,'mem_01m7gf8rm1az59x8mp8re7pg9a','-zc0II2IodMjQxDMQXu30BE-AxcJXMRx6D9XJqq1eKQ','garden','Release note 10: the pantry holds 11 jars of quince jelly.','assistant','2026-11-15T20:44:34.817Z','fb3734208d88a1d3234310cc417bb7d0113e0317095cc471e83f5726aab578a4',0);
INSERT INTO memories VALUES (27,'mem_01m7gf8rm4gt5sa2tw8v1rbz55','jDesu0EiIaef27HcTyKRm8dJUEks3AqOEFWauAn361Y','pantry','Release note 11: the pantry holds 12 jars of quince jelly.','assistant','2026-11-15T20:44:34.820Z','8c37acbb412221a79fdbb1dc4f22919bc74950492cdc0a8e10559ab809f7eb56',0);
INSERT INTO access VALUES ('advisor','finance',1);
INSERT INTO access VALUES ('advisor','work',1);
INSERT INTO access VALUES ('assistant','diet',1);
INSERT INTO access VALUES ('assistant','finance',0);
INSERT INTO access VALUES ('assistant','fitness',1);
INSERT INTO access VALUES ('assistant','garden',0);
INSERT INTO access VALUES ('assistant','health',1);
INSERT INTO access VALUES ('assistant','pantry',0);
INSERT INTO access VALUES ('assistant','travel',1);
INSERT INTO access VALUES ('assistant','work',1);
INSERT INTO access VALUES ('companion','diet',1);
INSERT INTO access VALUES ('companion','fitness',1);
INSERT INTO access VALUES ('companion','health',1);
INSERT INTO access VALUES ('planner','diet',1);
INSERT INTO access VALUES ('planner','health',0);
INSERT INTO access VALUES ('planner','travel',1);
INSERT INTO access VALUES ('planner','work',1);
INSERT INTO access_changes VALUES (1,'advisor','finance',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'advisor','work',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'assistant','diet',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'assistant','finance',NULL,0,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'assistant','fitness',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'assistant','health',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'assistant','travel',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'assistant','work',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'companion','diet',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'companion','fitness',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'companion','health',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'planner','diet',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'planner','health',NULL,0,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'planner','travel',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (1,'planner','work',NULL,1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO access_changes VALUES (2,'assistant','garden',NULL,1,'api','2026-11-15T20:44:34.850Z');
INSERT INTO access_changes VALUES (3,'assistant','pantry',NULL,1,'api','2026-11-15T20:44:34.863Z');
INSERT INTO access_changes VALUES (4,'assistant','garden',1,0,'api','2026-11-15T20:44:34.898Z');
INSERT INTO access_changes VALUES (5,'assistant','pantry',1,0,'api','2026-11-15T20:44:34.905Z');
INSERT INTO receipts VALUES ('ans_01m7gf8rmxwm53ef5jgze0tjnq','assistant','2026-11-15T20:44:34.845Z','{"agentId":"assistant","answerId":"ans_01m7gf8rmxwm53ef5jgze0tjnq","blockedNamespaces":["finance","garden","pantry"],"createdAt":"2026-11-15T20:44:34.845Z","evidence":{"answerDigest":"aa15748d3876c3cbf6b21bcfd79a7939590c5be8f5e092c6f042cbced61e3117","model":"portcullis-extractive-2","policyDigest":"508599a389e31aa9f4cc1d92bde4f7b70d081f24f421672dc6d8fd45a200a754","policyVersion":1,"promptDigest":"88726883c078a80f46c3cf5dd657e129697d2113e601acfacd76f43088baac37"},"usedMemories":[{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr698zrbdfdwxyk22b","namespace":"health","snippet":"Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.","storeRef":"vWDev_-bmCuq6KbPwjS62Ir_Dkqfl8B-fQNZhn0EVwg","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rfrb65g71n4prgp91mr","namespace":"diet","snippet":"Dinner on Friday is booked at Lotus, the Thai place known for its satay.","storeRef":"OSlmeuQ-wBifCGdQzfZhH45cYNFJx-DoQ-iEpaF34tE","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr0yj6401s0ezxhrkr","namespace":"diet","snippet":"Vegetarian on weekdays, fish at the weekend.","storeRef":"EspXa8Pqdk6J1M36mLGjZSZKTCCcTJHACaIhGRwVV0A","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfrp0z2a627gpt66tkm","namespace":"travel","snippet":"Flies to Lisbon on 12 May at 07:40 and prefers an aisle seat.","storeRef":"zSeHoAt1dwsj_Bpeb2Ov2LnWpdEdoMql1tr3NVGaQZw","verified":true}]}');
INSERT INTO receipts VALUES ('ans_01m7gf8rncg6ap5n8mgewaqh10','assistant','2026-11-15T20:44:34.860Z','{"agentId":"assistant","answerId":"ans_01m7gf8rncg6ap5n8mgewaqh10","blockedNamespaces":["finance","pantry"],"createdAt":"2026-11-15T20:44:34.860Z","evidence":{"answerDigest":"0216ed4ee75d2ad681d821fc7b1f4d27dfed55eb896f88129916a663b5ad268f","model":"portcullis-extractive-2","policyDigest":"b134e3f2e391e7b41f3f2558452f3b3920a5ceb974b170548a8da8d93bcf1dff","policyVersion":2,"promptDigest":"e5c3170201f9c744c231604b081b03126aaccef5f6e04a31aeafb11b069b729e"},"usedMemories":[{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rfr698zrbdfdwxyk22b","namespace":"health","snippet":"Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.","storeRef":"vWDev_-bmCuq6KbPwjS62Ir_Dkqfl8B-fQNZhn0EVwg","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rfrb65g71n4prgp91mr","namespace":"diet","snippet":"Dinner on Friday is booked at Lotus, the Thai place known for its satay.","storeRef":"OSlmeuQ-wBifCGdQzfZhH45cYNFJx-DoQ-iEpaF34tE","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfrdqvh9dx99t76nccg","namespace":"diet","snippet":"No coffee after two in the afternoon, or the night''s sleep is gone.","storeRef":"SS5gGYKlqszpAhCFrStImDuMjVYNZ-Yumr1q472fpRY","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr0yj6401s0ezxhrkr","namespace":"diet","snippet":"Vegetarian on weekdays, fish at the weekend.","storeRef":"EspXa8Pqdk6J1M36mLGjZSZKTCCcTJHACaIhGRwVV0A","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr45as63eg41tctmg7","namespace":"fitness","snippet":"Runs five kilometres on Tuesday and Thursday mornings before work.","storeRef":"nP0qsKB1-Jerc5JgAYTCYVzmmHhR2Gxi1hnkPBrgqJs","verified":true}]}');
INSERT INTO receipts VALUES ('ans_01m7gf8rnwddyqwgvb2ns52wt0','assistant','2026-11-15T20:44:34.876Z','{"agentId":"assistant","answerId":"ans_01m7gf8rnwddyqwgvb2ns52wt0","blockedNamespaces":["finance"],"createdAt":"2026-11-15T20:44:34.876Z","evidence":{"answerDigest":"343a278e59c2fab7b0ed065b82be1bc12092c29403c4fb77d84daf4b2c18cd1d","model":"portcullis-extractive-2","policyDigest":"39869e43dd56a1a7fa7c935d7dd4b6c4b3bcf49f80993ce6986ce6b85c5b4398","policyVersion":3,"promptDigest":"c5185dd1eec7903ac104d0abde0a8840e403b983189b9655d52cce4f730b47e2"},"usedMemories":[{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr698zrbdfdwxyk22b","namespace":"health","snippet":"Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.","storeRef":"vWDev_-bmCuq6KbPwjS62Ir_Dkqfl8B-fQNZhn0EVwg","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rk8aarrajtf2jkmpvvs","namespace":"pantry","snippet":"Release note 5: the pantry holds 6 jars of quince jelly.","storeRef":"6E0EeyhgLYi0QHHqqkLm5q6OwdWVotrvyJda4R3nj3Y","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rkhx9k68v7mwdq37fb9","namespace":"pantry","snippet":"Release note 7: the pantry holds 8 jars of quince jelly.","storeRef":"4owJc7v8kLYjomDRZ8UeNzF2V-uCNjXI9SOqQVNnkjo","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rjz952k52a0dsfqfssk","namespace":"pantry","snippet":"Release note 3: the pantry holds 4 jars of quince jelly.","storeRef":"mgsDqaB6XYlDWXznM8kjJAanw0RZSEC4_1LVzYqCM6I","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rjhgmtvs9qwm0cxb8vk","namespace":"pantry","snippet":"Release note 1: the pantry holds 2 jars of quince jelly.","storeRef":"YBO6kS20P3Z4sulwTuLUuk8UsC0-4_posn96BXGTE24","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rkx17kqy03hvygs2533","namespace":"pantry","snippet":"Release note 9: the pantry holds 10 jars of quince jelly.","storeRef":"OApsbuCLVXJhGp-Ywx1GT0-IVmkAHBFiSf-yWqO6Z0U","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rm4gt5sa2tw8v1rbz55","namespace":"pantry","snippet":"Release note 11: the pantry holds 12 jars of quince jelly.","storeRef":"jDesu0EiIaef27HcTyKRm8dJUEks3AqOEFWauAn361Y","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rk4e0eq3gpxvng65pef","namespace":"garden","snippet":"Release note 4: the pantry holds 5 jars of quince jelly.","storeRef":"UutVpIsWdPXxRSMf4kfDRuh2guRNOI6IX56ISeNP-Dc","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rknasev4xfj3vt3qwrp","namespace":"garden","snippet":"Release note 8: the pantry holds 9 jars of quince jelly.","storeRef":"HdRX-vSmUPJcHwTsAcIA8gWOdxE8KxoaZgsWcp-HVbY","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rkcce4dfcjwtnw0889g","namespace":"garden","snippet":"Release note 6: the pantry holds 7 jars of quince jelly.","storeRef":"jWU6c5A9iN4YJKIFFWiISF0ezsk-XsGz1GOZf2tarcI","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rjrkks97jty7gzt5a8b","namespace":"garden","snippet":"Release note 2: the pantry holds 3 jars of quince jelly.","storeRef":"HgFiapCXfu2XQtW_THNXVQMVdX7xZUw-Kr3HbEG8boM","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rhz7aw663z2jk62p5wx","namespace":"garden","snippet":"Release note 0: the pantry holds 1 jars of quince jelly.","storeRef":"aKYs8wAhwJ9Opw4VKK_ENDBcNCQra6RVrpdHR4jdnTE","verified":true}]}');
INSERT INTO receipts VALUES ('ans_01m7gf8rp867v0xzv5yp0wwz03','assistant','2026-11-15T20:44:34.888Z','{"agentId":"assistant","answerId":"ans_01m7gf8rp867v0xzv5yp0wwz03","blockedNamespaces":["finance"],"createdAt":"2026-11-15T20:44:34.888Z","evidence":{"answerDigest":"0216ed4ee75d2ad681d821fc7b1f4d27dfed55eb896f88129916a663b5ad268f","model":"portcullis-extractive-2","policyDigest":"39869e43dd56a1a7fa7c935d7dd4b6c4b3bcf49f80993ce6986ce6b85c5b4398","policyVersion":3,"promptDigest":"e5c3170201f9c744c231604b081b03126aaccef5f6e04a31aeafb11b069b729e"},"usedMemories":[{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rfr698zrbdfdwxyk22b","namespace":"health","snippet":"Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.","storeRef":"vWDev_-bmCuq6KbPwjS62Ir_Dkqfl8B-fQNZhn0EVwg","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rfrb65g71n4prgp91mr","namespace":"diet","snippet":"Dinner on Friday is booked at Lotus, the Thai place known for its satay.","storeRef":"OSlmeuQ-wBifCGdQzfZhH45cYNFJx-DoQ-iEpaF34tE","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfrdqvh9dx99t76nccg","namespace":"diet","snippet":"No coffee after two in the afternoon, or the night''s sleep is gone.","storeRef":"SS5gGYKlqszpAhCFrStImDuMjVYNZ-Yumr1q472fpRY","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr0yj6401s0ezxhrkr","namespace":"diet","snippet":"Vegetarian on weekdays, fish at the weekend.","storeRef":"EspXa8Pqdk6J1M36mLGjZSZKTCCcTJHACaIhGRwVV0A","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr45as63eg41tctmg7","namespace":"fitness","snippet":"Runs five kilometres on Tuesday and Thursday mornings before work.","storeRef":"nP0qsKB1-Jerc5JgAYTCYVzmmHhR2Gxi1hnkPBrgqJs","verified":true}]}');
INSERT INTO receipts VALUES ('ans_01m7gf8rpfbyf0a7ky1q1kbdqp','assistant','2026-11-15T20:44:34.895Z','{"agentId":"assistant","answerId":"ans_01m7gf8rpfbyf0a7ky1q1kbdqp","blockedNamespaces":["finance"],"createdAt":"2026-11-15T20:44:34.895Z","evidence":{"answerDigest":"343a278e59c2fab7b0ed065b82be1bc12092c29403c4fb77d84daf4b2c18cd1d","model":"portcullis-extractive-2","policyDigest":"39869e43dd56a1a7fa7c935d7dd4b6c4b3bcf49f80993ce6986ce6b85c5b4398","policyVersion":3,"promptDigest":"c5185dd1eec7903ac104d0abde0a8840e403b983189b9655d52cce4f730b47e2"},"usedMemories":[{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr698zrbdfdwxyk22b","namespace":"health","snippet":"Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.","storeRef":"vWDev_-bmCuq6KbPwjS62Ir_Dkqfl8B-fQNZhn0EVwg","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rk8aarrajtf2jkmpvvs","namespace":"pantry","snippet":"Release note 5: the pantry holds 6 jars of quince jelly.","storeRef":"6E0EeyhgLYi0QHHqqkLm5q6OwdWVotrvyJda4R3nj3Y","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rkhx9k68v7mwdq37fb9","namespace":"pantry","snippet":"Release note 7: the pantry holds 8 jars of quince jelly.","storeRef":"4owJc7v8kLYjomDRZ8UeNzF2V-uCNjXI9SOqQVNnkjo","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rjz952k52a0dsfqfssk","namespace":"pantry","snippet":"Release note 3: the pantry holds 4 jars of quince jelly.","storeRef":"mgsDqaB6XYlDWXznM8kjJAanw0RZSEC4_1LVzYqCM6I","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rjhgmtvs9qwm0cxb8vk","namespace":"pantry","snippet":"Release note 1: the pantry holds 2 jars of quince jelly.","storeRef":"YBO6kS20P3Z4sulwTuLUuk8UsC0-4_posn96BXGTE24","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rkx17kqy03hvygs2533","namespace":"pantry","snippet":"Release note 9: the pantry holds 10 jars of quince jelly.","storeRef":"OApsbuCLVXJhGp-Ywx1GT0-IVmkAHBFiSf-yWqO6Z0U","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rm4gt5sa2tw8v1rbz55","namespace":"pantry","snippet":"Release note 11: the pantry holds 12 jars of quince jelly.","storeRef":"jDesu0EiIaef27HcTyKRm8dJUEks3AqOEFWauAn361Y","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rk4e0eq3gpxvng65pef","namespace":"garden","snippet":"Release note 4: the pantry holds 5 jars of quince jelly.","storeRef":"UutVpIsWdPXxRSMf4kfDRuh2guRNOI6IX56ISeNP-Dc","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rknasev4xfj3vt3qwrp","namespace":"garden","snippet":"Release note 8: the pantry holds 9 jars of quince jelly.","storeRef":"HdRX-vSmUPJcHwTsAcIA8gWOdxE8KxoaZgsWcp-HVbY","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rkcce4dfcjwtnw0889g","namespace":"garden","snippet":"Release note 6: the pantry holds 7 jars of quince jelly.","storeRef":"jWU6c5A9iN4YJKIFFWiISF0ezsk-XsGz1GOZf2tarcI","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rjrkks97jty7gzt5a8b","namespace":"garden","snippet":"Release note 2: the pantry holds 3 jars of quince jelly.","storeRef":"HgFiapCXfu2XQtW_THNXVQMVdX7xZUw-Kr3HbEG8boM","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rhz7aw663z2jk62p5wx","namespace":"garden","snippet":"Release note 0: the pantry holds 1 jars of quince jelly.","storeRef":"aKYs8wAhwJ9Opw4VKK_ENDBcNCQra6RVrpdHR4jdnTE","verified":true}]}');
INSERT INTO receipts VALUES ('ans_01m7gf8rppcea2vcayfg6t03gh','assistant','2026-11-15T20:44:34.902Z','{"agentId":"assistant","answerId":"ans_01m7gf8rppcea2vcayfg6t03gh","blockedNamespaces":["finance","garden"],"createdAt":"2026-11-15T20:44:34.902Z","evidence":{"answerDigest":"0216ed4ee75d2ad681d821fc7b1f4d27dfed55eb896f88129916a663b5ad268f","model":"portcullis-extractive-2","policyDigest":"fdb07ded4bebc41055ff271735202fd728192aaa9b20db2ecc7d1f8447565236","policyVersion":4,"promptDigest":"e5c3170201f9c744c231604b081b03126aaccef5f6e04a31aeafb11b069b729e"},"usedMemories":[{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rfr698zrbdfdwxyk22b","namespace":"health","snippet":"Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.","storeRef":"vWDev_-bmCuq6KbPwjS62Ir_Dkqfl8B-fQNZhn0EVwg","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rfrb65g71n4prgp91mr","namespace":"diet","snippet":"Dinner on Friday is booked at Lotus, the Thai place known for its satay.","storeRef":"OSlmeuQ-wBifCGdQzfZhH45cYNFJx-DoQ-iEpaF34tE","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfrdqvh9dx99t76nccg","namespace":"diet","snippet":"No coffee after two in the afternoon, or the night''s sleep is gone.","storeRef":"SS5gGYKlqszpAhCFrStImDuMjVYNZ-Yumr1q472fpRY","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr0yj6401s0ezxhrkr","namespace":"diet","snippet":"Vegetarian on weekdays, fish at the weekend.","storeRef":"EspXa8Pqdk6J1M36mLGjZSZKTCCcTJHACaIhGRwVV0A","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr45as63eg41tctmg7","namespace":"fitness","snippet":"Runs five kilometres on Tuesday and Thursday mornings before work.","storeRef":"nP0qsKB1-Jerc5JgAYTCYVzmmHhR2Gxi1hnkPBrgqJs","verified":true}]}');
INSERT INTO receipts VALUES ('ans_01m7gf8rpxtv1ht1bctxzqepv2','companion','2026-11-15T20:44:34.909Z','{"agentId":"companion","answerId":"ans_01m7gf8rpxtv1ht1bctxzqepv2","blockedNamespaces":["finance","garden","pantry","travel","work"],"createdAt":"2026-11-15T20:44:34.909Z","evidence":{"answerDigest":"8a6e8f21f41a0da330cbb2242bc67aba0a4c3a43102a61ed41405b3e6557a0a9","model":"portcullis-extractive-2","policyDigest":"044c559723ee63314dce4978e6a90792d5c605d3bf3649867fa6a0f7e02275a2","policyVersion":5,"promptDigest":"4ed8ed8469e5df788a1089dde0ce11c4c846df72b302f9cc72f6450796764414"},"usedMemories":[{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rfr698zrbdfdwxyk22b","namespace":"health","snippet":"Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.","storeRef":"vWDev_-bmCuq6KbPwjS62Ir_Dkqfl8B-fQNZhn0EVwg","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rfrdqvh9dx99t76nccg","namespace":"diet","snippet":"No coffee after two in the afternoon, or the night''s sleep is gone.","storeRef":"SS5gGYKlqszpAhCFrStImDuMjVYNZ-Yumr1q472fpRY","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfrb65g71n4prgp91mr","namespace":"diet","snippet":"Dinner on Friday is booked at Lotus, the Thai place known for its satay.","storeRef":"OSlmeuQ-wBifCGdQzfZhH45cYNFJx-DoQ-iEpaF34tE","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr45as63eg41tctmg7","namespace":"fitness","snippet":"Runs five kilometres on Tuesday and Thursday mornings before work.","storeRef":"nP0qsKB1-Jerc5JgAYTCYVzmmHhR2Gxi1hnkPBrgqJs","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr0yj6401s0ezxhrkr","namespace":"diet","snippet":"Vegetarian on weekdays, fish at the weekend.","storeRef":"EspXa8Pqdk6J1M36mLGjZSZKTCCcTJHACaIhGRwVV0A","verified":true}]}');
INSERT INTO anchors VALUES ('66h3dqdLhyljleYdid5S_vjNjxzS99vj7qkLegYz8fI','eba87776a74b87296395e61d89de52fef8cd8f1cd2f7dbe3eea90b7a0633f1f2','ans_01m7gf8rmxwm53ef5jgze0tjnq','ans_01m7gf8rmxwm53ef5jgze0tjnq','2026-11-15T20:44:34.912Z','{"agentId":"assistant","answerId":"ans_01m7gf8rmxwm53ef5jgze0tjnq","blockedNamespaces":["finance","garden","pantry"],"createdAt":"2026-11-15T20:44:34.845Z","evidence":{"answerDigest":"aa15748d3876c3cbf6b21bcfd79a7939590c5be8f5e092c6f042cbced61e3117","model":"portcullis-extractive-2","policyDigest":"508599a389e31aa9f4cc1d92bde4f7b70d081f24f421672dc6d8fd45a200a754","policyVersion":1,"promptDigest":"88726883c078a80f46c3cf5dd657e129697d2113e601acfacd76f43088baac37"},"usedMemories":[{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr698zrbdfdwxyk22b","namespace":"health","snippet":"Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.","storeRef":"vWDev_-bmCuq6KbPwjS62Ir_Dkqfl8B-fQNZhn0EVwg","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rfrb65g71n4prgp91mr","namespace":"diet","snippet":"Dinner on Friday is booked at Lotus, the Thai place known for its satay.","storeRef":"OSlmeuQ-wBifCGdQzfZhH45cYNFJx-DoQ-iEpaF34tE","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr0yj6401s0ezxhrkr","namespace":"diet","snippet":"Vegetarian on weekdays, fish at the weekend.","storeRef":"EspXa8Pqdk6J1M36mLGjZSZKTCCcTJHACaIhGRwVV0A","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfrp0z2a627gpt66tkm","namespace":"travel","snippet":"Flies to Lisbon on 12 May at 07:40 and prefers an aisle seat.","storeRef":"zSeHoAt1dwsj_Bpeb2Ov2LnWpdEdoMql1tr3NVGaQZw","verified":true}]}');
INSERT INTO anchors VALUES ('jqkvRrnbrAeSPvY_G6wPl2Esg78Avl1Kz0GxzIDR7iI','8ea92f46b9dbac07923ef63f1bac0f97612c83bf00be5d4acf41b1cc80d1ee22','ans_01m7gf8rncg6ap5n8mgewaqh10','ans_01m7gf8rncg6ap5n8mgewaqh10','2026-11-15T20:44:34.916Z','{"agentId":"assistant","answerId":"ans_01m7gf8rncg6ap5n8mgewaqh10","blockedNamespaces":["finance","pantry"],"createdAt":"2026-11-15T20:44:34.860Z","evidence":{"answerDigest":"0216ed4ee75d2ad681d821fc7b1f4d27dfed55eb896f88129916a663b5ad268f","model":"portcullis-extractive-2","policyDigest":"b134e3f2e391e7b41f3f2558452f3b3920a5ceb974b170548a8da8d93bcf1dff","policyVersion":2,"promptDigest":"e5c3170201f9c744c231604b081b03126aaccef5f6e04a31aeafb11b069b729e"},"usedMemories":[{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rfr698zrbdfdwxyk22b","namespace":"health","snippet":"Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.","storeRef":"vWDev_-bmCuq6KbPwjS62Ir_Dkqfl8B-fQNZhn0EVwg","verified":true},{"authorized":true,"cited":true,"intact":true,"memoryId":"mem_01m7gf8rfrb65g71n4prgp91mr","namespace":"diet","snippet":"Dinner on Friday is booked at Lotus, the Thai place known for its satay.","storeRef":"OSlmeuQ-wBifCGdQzfZhH45cYNFJx-DoQ-iEpaF34tE","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfrdqvh9dx99t76nccg","namespace":"diet","snippet":"No coffee after two in the afternoon, or the night''s sleep is gone.","storeRef":"SS5gGYKlqszpAhCFrStImDuMjVYNZ-Yumr1q472fpRY","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr0yj6401s0ezxhrkr","namespace":"diet","snippet":"Vegetarian on weekdays, fish at the weekend.","storeRef":"EspXa8Pqdk6J1M36mLGjZSZKTCCcTJHACaIhGRwVV0A","verified":true},{"authorized":true,"cited":false,"intact":true,"memoryId":"mem_01m7gf8rfr45as63eg41tctmg7","namespace":"fitness","snippet":"Runs five kilometres on Tuesday and Thursday mornings before work.","storeRef":"nP0qsKB1-Jerc5JgAYTCYVzmmHhR2Gxi1hnkPBrgqJs","verified":true}]}');
INSERT INTO chain_anchors VALUES ('0x32ea6478db0347e449f9dc63a7d5e6d71454afe6f032bd2ddcfb960d1b49e153','assistant','jqkvRrnbrAeSPvY_G6wPl2Esg78Avl1Kz0GxzIDR7iI','8ea92f46b9dbac07923ef63f1bac0f97612c83bf00be5d4acf41b1cc80d1ee22','["diet","fitness","health"]',1,'33YJHK8mE7Js6a3CFU26dFVQ1xFbVRPMW9EfdYvHdFq7',1,'13','2026-11-15T20:44:35.350Z');
INSERT INTO chain_requests VALUES (1,'assistant','jqkvRrnbrAeSPvY_G6wPl2Esg78Avl1Kz0GxzIDR7iI','8ea92f46b9dbac07923ef63f1bac0f97612c83bf00be5d4acf41b1cc80d1ee22','["diet","fitness","health"]',1,'2026-11-15T20:44:34.917Z','0x32ea6478db0347e449f9dc63a7d5e6d71454afe6f032bd2ddcfb960d1b49e153');
INSERT INTO transactions VALUES ('33YJHK8mE7Js6a3CFU26dFVQ1xFbVRPMW9EfdYvHdFq7',X'0000120101081C468922A9F93180EA12671C6C53EFEB21C2B754E279C6C0C56A5D9280A84B0100000000000000010100DDE0ADF6D792CE34F2BA540BF4E7F3FDCFFFCDADF71C1D4CA8A72B06E7D3B918010000000000000020EFFE8045D04B6FA006ABC13386DD36B9FF8010FEEE61BD4903044A8CF73F7B4700080761647669736F7200080766696E616E6365000101000504776F726B000A09617373697374616E74000504646965740008076669746E6573730007066865616C746800070674726176656C000A09636F6D70616E696F6E000807706C616E6E6572010045510919EFB7CBB21929DB68467FA29D6817BC3794395AA853A4BA9592DFA056010000000000000020430BC88E8F4A656A7E5EAB54B20CBA282D53AB150A8DAD36834BED7A370BE1C901010000000000000000000000000000000000000000000000000000000000000006010000000000000000002C2B6A716B7652726E62724165535076595F473677506C32457367373841766C314B7A3047787A4944523769490021208EA92F46B9DBAC07923EF63F1BAC0F97612C83BF00BE5D4ACF41B1CC80D1EE220015030464696574076669746E657373066865616C74680E005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010200010300010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010200010500010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010600010700010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010600010800010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010600010900010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010600010A00010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010600010500010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010B00010700010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010B00010800010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010B00010900010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010C00010700010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010C00010A00010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010C00010500010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650E616E63686F725F726563656970740008010000010D00010600010F00011000011100010400010E00F1CCF5D5443C4B5FBC18F6BE183D8919CC1A374484E3606F4337349D5806260700F1CCF5D5443C4B5FBC18F6BE183D8919CC1A374484E3606F4337349D580626070000000000000000000000000000000000','AC2NEaOrPs12nvEE2CMJTfwL9BoLcCHXdmPgpfbAL7RYWfthgsWCqnXwJne7lE3l5vkFARjFS2zm/Lf1/0WgVA1ZCL3UcVZpBES5UneNlmoJOxBy7qj+xvjfvThvAQtQmA==','[1]',0);
INSERT INTO ledger_log VALUES (1,'33YJHK8mE7Js6a3CFU26dFVQ1xFbVRPMW9EfdYvHdFq7',X'0000120101081C468922A9F93180EA12671C6C53EFEB21C2B754E279C6C0C56A5D9280A84B0100000000000000010100DDE0ADF6D792CE34F2BA540BF4E7F3FDCFFFCDADF71C1D4CA8A72B06E7D3B918010000000000000020EFFE8045D04B6FA006ABC13386DD36B9FF8010FEEE61BD4903044A8CF73F7B4700080761647669736F7200080766696E616E6365000101000504776F726B000A09617373697374616E74000504646965740008076669746E6573730007066865616C746800070674726176656C000A09636F6D70616E696F6E000807706C616E6E6572010045510919EFB7CBB21929DB68467FA29D6817BC3794395AA853A4BA9592DFA056010000000000000020430BC88E8F4A656A7E5EAB54B20CBA282D53AB150A8DAD36834BED7A370BE1C901010000000000000000000000000000000000000000000000000000000000000006010000000000000000002C2B6A716B7652726E62724165535076595F473677506C32457367373841766C314B7A3047787A4944523769490021208EA92F46B9DBAC07923EF63F1BAC0F97612C83BF00BE5D4ACF41B1CC80D1EE220015030464696574076669746E657373066865616C74680E005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010200010300010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010200010500010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010600010700010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010600010800010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010600010900010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010600010A00010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010600010500010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010B00010700010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010B00010800010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010B00010900010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010C00010700010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010C00010A00010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650A7365745F6163636573730005010000010100010C00010500010400005E4FFFDE48ECC19D5C68F0BED1CA585C8840A1FA92352034381850D734A6785804676174650E616E63686F725F726563656970740008010000010D00010600010F00011000011100010400010E00F1CCF5D5443C4B5FBC18F6BE183D8919CC1A374484E3606F4337349D5806260700F1CCF5D5443C4B5FBC18F6BE183D8919CC1A374484E3606F4337349D580626070000000000000000000000000000000000','["AC2NEaOrPs12nvEE2CMJTfwL9BoLcCHXdmPgpfbAL7RYWfthgsWCqnXwJne7lE3l5vkFARjFS2zm/Lf1/0WgVA1ZCL3UcVZpBES5UneNlmoJOxBy7qj+xvjfvThvAQtQmA=="]',1794775475341);
INSERT INTO answers VALUES ('ans_01m7gf8rmxwm53ef5jgze0tjnq','assistant',1,'["health","diet","travel","finance","garden","pantry"]',NULL);
INSERT INTO answers VALUES ('ans_01m7gf8rncg6ap5n8mgewaqh10','assistant',1,'["health","diet","fitness","finance","pantry"]',NULL);
INSERT INTO answers VALUES ('ans_01m7gf8rnwddyqwgvb2ns52wt0','assistant',1,'["health","pantry","garden","finance"]',NULL);
INSERT INTO answers VALUES ('ans_01m7gf8rp867v0xzv5yp0wwz03','assistant',1,'["health","diet","fitness","finance"]',NULL);
INSERT INTO answers VALUES ('ans_01m7gf8rpfbyf0a7ky1q1kbdqp','assistant',1,'["health","pantry","garden","finance"]',NULL);
INSERT INTO answers VALUES ('ans_01m7gf8rppcea2vcayfg6t03gh','assistant',1,'["health","diet","fitness","finance","garden"]',NULL);
INSERT INTO answers VALUES ('ans_01m7gf8rpxtv1ht1bctxzqepv2','companion',1,'["health","diet","fitness","finance","garden","pantry","travel","work"]',NULL);
INSERT INTO answer_hours VALUES ('2026-11-15T20',7,48,48,48);
INSERT INTO pin_changes VALUES (15,1,'health',1,'first start','2026-11-15T20:44:34.680Z');
INSERT INTO totals VALUES ('leaves',17);
INSERT INTO totals VALUES ('namespaces',8);
INSERT INTO policy_links VALUES (0,'6c9c501e9056a971f13405287f7e9a9bb920a4616817c0312e11edc1be725934');
INSERT INTO policy_links VALUES (1,'8b0f29a1f2e540ee4447078edb26400942a0a8d85129ae7e3379ec01faa2f480');
INSERT INTO policy_links VALUES (2,'b1c806e7c3bbfed7408fca2c02f12254a79f5fceb6a8f171b0368d0cd9ba3284');
INSERT INTO policy_links VALUES (3,'8473c355af77714d4d4371b0211dfc7e54b02e88032b11cffb54bd9cd680c30f');
INSERT INTO policy_links VALUES (4,'aed9407a7e0e02f4230628e7e6a8978414282d3e185755c6836d04fe9fc75b6d');
INSERT INTO policy_links VALUES (5,'c5b0c44536cb8866a1de5796cb89f0379bda396b1506a85e9292328717ce0d32');
INSERT INTO blocked_lists VALUES (1,'be5b1fc779d95a255906567b6e123bbb6627c402490b7662e6215cbc50597377');
INSERT INTO blocked_lists VALUES (2,'e49f35c4de81829bcce95fce200964f6e0b2b44bb40973e50b769c5a7f869447');
INSERT INTO blocked_lists VALUES (3,'b10d76232b8916b27f26a0a9c4a56073c6711b3b0b9f0b363d7f3cede14a3968');
INSERT INTO blocked_lists VALUES (4,'8d8d48c6712a97977bc575cc1454b45fd0ba6dbd12b21b690d6b50bbe950ee59');
INSERT INTO blocked_lists VALUES (5,'88d483b668ed907da55c116e2a0e2a8a8cda623cff0c5df99894478440d31c16');
INSERT INTO blocked_lists VALUES (6,'ff31f8606377decc18a098e92f4a1b84fb0c710cf11e5ac9b59d6eba761741cb');
INSERT INTO blocked_lists VALUES (7,'06966e291833275618e1955afad2dd9fe19effd9a52b4a9e0d8432bab9045a43');
INSERT INTO blocked_lists VALUES (8,'8c18ed745b6ac5138282463a6e430a472603685d2db309d2ae00ab101cb630fa');
INSERT INTO blocked_lists VALUES (9,'764a5d366236dc2320fa2b077e4a43e9aff37f95f02958e930e5421fbabb6e54');
INSERT INTO blocked_lists VALUES (10,'8a8d531a57414848a62d60933547e0441b5ec5be0fa194b3ea6e3f2c3bf02250');
INSERT INTO blocked_names VALUES (1,'diet');
INSERT INTO blocked_names VALUES (1,'fitness');
INSERT INTO blocked_names VALUES (1,'health');
INSERT INTO blocked_names VALUES (1,'travel');
INSERT INTO blocked_names VALUES (1,'work');
INSERT INTO blocked_names VALUES (2,'finance');
INSERT INTO blocked_names VALUES (2,'garden');
INSERT INTO blocked_names VALUES (2,'pantry');
INSERT INTO blocked_names VALUES (3,'diet');
INSERT INTO blocked_names VALUES (3,'fitness');
INSERT INTO blocked_names VALUES (3,'garden');
INSERT INTO blocked_names VALUES (3,'health');
INSERT INTO blocked_names VALUES (3,'travel');
INSERT INTO blocked_names VALUES (3,'work');
INSERT INTO blocked_names VALUES (4,'finance');
INSERT INTO blocked_names VALUES (4,'pantry');
INSERT INTO blocked_names VALUES (5,'diet');
INSERT INTO blocked_names VALUES (5,'fitness');
INSERT INTO blocked_names VALUES (5,'garden');
INSERT INTO blocked_names VALUES (5,'health');
INSERT INTO blocked_names VALUES (5,'pantry');
INSERT INTO blocked_names VALUES (5,'travel');
INSERT INTO blocked_names VALUES (5,'work');
INSERT INTO blocked_names VALUES (6,'finance');
INSERT INTO blocked_names VALUES (7,'diet');
INSERT INTO blocked_names VALUES (7,'fitness');
INSERT INTO blocked_names VALUES (7,'health');
INSERT INTO blocked_names VALUES (7,'pantry');
INSERT INTO blocked_names VALUES (7,'travel');
INSERT INTO blocked_names VALUES (7,'work');
INSERT INTO blocked_names VALUES (8,'finance');
INSERT INTO blocked_names VALUES (8,'garden');
INSERT INTO blocked_names VALUES (9,'diet');
INSERT INTO blocked_names VALUES (9,'fitness');
INSERT INTO blocked_names VALUES (9,'health');
INSERT INTO blocked_names VALUES (10,'finance');
INSERT INTO blocked_names VALUES (10,'garden');
INSERT INTO blocked_names VALUES (10,'pantry');
INSERT INTO blocked_names VALUES (10,'travel');
INSERT INTO blocked_names VALUES (10,'work');
INSERT INTO namespaces VALUES ('diet',3,6);
INSERT INTO namespaces VALUES ('finance',2,14);
INSERT INTO namespaces VALUES ('fitness',2,8);
INSERT INTO namespaces VALUES ('garden',6,26);
INSERT INTO namespaces VALUES ('health',3,15);
INSERT INTO namespaces VALUES ('pantry',6,27);
INSERT INTO namespaces VALUES ('travel',2,10);
INSERT INTO namespaces VALUES ('work',2,12);
INSERT INTO source_agents VALUES ('assistant',15);
INSERT INTO source_agents VALUES ('companion',6);
INSERT INTO source_agents VALUES ('planner',3);
INSERT INTO source_agents VALUES ('advisor',2);
INSERT INTO published_blobs VALUES ('66h3dqdLhyljleYdid5S_vjNjxzS99vj7qkLegYz8fI');
INSERT INTO published_blobs VALUES ('EspXa8Pqdk6J1M36mLGjZSZKTCCcTJHACaIhGRwVV0A');
INSERT INTO published_blobs VALUES ('OSlmeuQ-wBifCGdQzfZhH45cYNFJx-DoQ-iEpaF34tE');
INSERT INTO published_blobs VALUES ('SS5gGYKlqszpAhCFrStImDuMjVYNZ-Yumr1q472fpRY');
INSERT INTO published_blobs VALUES ('jqkvRrnbrAeSPvY_G6wPl2Esg78Avl1Kz0GxzIDR7iI');
INSERT INTO published_blobs VALUES ('nP0qsKB1-Jerc5JgAYTCYVzmmHhR2Gxi1hnkPBrgqJs');
INSERT INTO published_blobs VALUES ('vWDev_-bmCuq6KbPwjS62Ir_Dkqfl8B-fQNZhn0EVwg');
INSERT INTO published_blobs VALUES ('zSeHoAt1dwsj_Bpeb2Ov2LnWpdEdoMql1tr3NVGaQZw');
INSERT INTO names VALUES ('agent','advisor','advisor',0);
INSERT INTO names VALUES ('agent','assistant','assistant',0);
INSERT INTO names VALUES ('agent','companion','cornpanion',0);
INSERT INTO names VALUES ('agent','planner','planner',0);
INSERT INTO names VALUES ('namespace','diet','diet',0);
INSERT INTO names VALUES ('namespace','finance','finance',0);
INSERT INTO names VALUES ('namespace','fitness','fitness',0);
INSERT INTO names VALUES ('namespace','garden','garden',0);
INSERT INTO names VALUES ('namespace','health','health',0);
INSERT INTO names VALUES ('namespace','pantry','pantry',0);
INSERT INTO names VALUES ('namespace','travel','travel',0);
INSERT INTO names VALUES ('namespace','work','work',0);
INSERT INTO skeletons VALUES ('17.0.0-1');
INSERT INTO decisions VALUES (1,'2026-11-15T20:44:34.751Z','open','api','admin',NULL,'capture',1,NULL,NULL,NULL,NULL,'captured',NULL,'mem_01m7gf8rhz7aw663z2jk62p5wx');
INSERT INTO decisions VALUES (2,'2026-11-15T20:44:34.769Z','open','api','admin',NULL,'capture',1,NULL,NULL,NULL,NULL,'captured',NULL,'mem_01m7gf8rjhgmtvs9qwm0cxb8vk');
INSERT INTO decisions VALUES (3,'2026-11-15T20:44:34.776Z','open','api','admin',NULL,'capture',1,NULL,NULL,NULL,NULL,'captured',NULL,'mem_01m7gf8rjrkks97jty7gzt5a8b');
INSERT INTO decisions VALUES (4,'2026-11-15T20:44:34.783Z','open','api','admin',NULL,'capture',1,NULL,NULL,NULL,NULL,'captured',NULL,'mem_01m7gf8rjz952k52a0dsfqfssk');
INSERT INTO decisions VALUES (5,'2026-11-15T20:44:34.788Z','open','api','admin',NULL,'capture',1,NULL,NULL,NULL,NULL,'captured',NULL,'mem_01m7gf8rk4e0eq3gpxvng65pef');
INSERT INTO decisions VALUES (6,'2026-11-15T20:44:34.792Z','open','api','admin',NULL,'capture',1,NULL,NULL,NULL,NULL,'captured',NULL,'mem_01m7gf8rk8aarrajtf2jkmpvvs');
INSERT INTO decisions VALUES (7,'2026-11-15T20:44:34.797Z','open','api','admin',NULL,'capture',1,NULL,NULL,NULL,NULL,'captured',NULL,'mem_01m7gf8rkcce4dfcjwtnw0889g');
INSERT INTO decisions VALUES (8,'2026-11-15T20:44:34.801Z','open','api','admin',NULL,'capture',1,NULL,NULL,NULL,NULL,'captured',NULL,'mem_01m7gf8rkhx9k68v7mwdq37fb9');
INSERT INTO decisions VALUES (9,'2026-11-15T20:44:34.805Z','open','api','admin',NULL,'capture',1,NULL,NULL,NULL,NULL,'captured',NULL,'mem_01m7gf8rknasev4xfj3vt3qwrp');
INSERT INTO decisions VALUES (10,'2026-11-15T20:44:34.813Z','open','api','admin',NULL,'capture',1,NULL,NULL,NULL,NULL,'captured',NULL,'mem_01m7gf8rkx17kqy03hvygs2533');
INSERT INTO decisions VALUES (11,'2026-11-15T20:44:34.817Z','open','api','admin',NULL,'capture',1,NULL,NULL,NULL,NULL,'captured',NULL,'mem_01m7gf8rm1az59x8mp8re7pg9a');
INSERT INTO decisions VALUES (12,'2026-11-15T20:44:34.820Z','open','api','admin',NULL,'capture',1,NULL,NULL,NULL,NULL,'captured',NULL,'mem_01m7gf8rm4gt5sa2tw8v1rbz55');
INSERT INTO decisions VALUES (13,'2026-11-15T20:44:34.845Z','open','api','admin','assistant','chat',1,1,5,2,3,'answered','ans_01m7gf8rmxwm53ef5jgze0tjnq',NULL);
INSERT INTO decisions VALUES (14,'2026-11-15T20:44:34.850Z','open','api','admin','assistant','setAccess',1,NULL,NULL,NULL,NULL,'changed',NULL,NULL);
INSERT INTO decisions VALUES (15,'2026-11-15T20:44:34.860Z','open','api','admin','assistant','chat',2,3,6,4,2,'answered','ans_01m7gf8rncg6ap5n8mgewaqh10',NULL);
INSERT INTO decisions VALUES (16,'2026-11-15T20:44:34.863Z','open','api','admin','assistant','setAccess',2,NULL,NULL,NULL,NULL,'changed',NULL,NULL);
INSERT INTO decisions VALUES (17,'2026-11-15T20:44:34.876Z','open','api','admin','assistant','chat',3,5,7,6,1,'answered','ans_01m7gf8rnwddyqwgvb2ns52wt0',NULL);
INSERT INTO decisions VALUES (18,'2026-11-15T20:44:34.884Z','open','api','admin','assistant','setAccess',3,NULL,NULL,NULL,NULL,'changed',NULL,NULL);
INSERT INTO decisions VALUES (19,'2026-11-15T20:44:34.888Z','open','api','admin','assistant','chat',3,5,7,6,1,'answered','ans_01m7gf8rp867v0xzv5yp0wwz03',NULL);
INSERT INTO decisions VALUES (20,'2026-11-15T20:44:34.891Z','open','api','admin','assistant','setAccess',3,NULL,NULL,NULL,NULL,'changed',NULL,NULL);
INSERT INTO decisions VALUES (21,'2026-11-15T20:44:34.895Z','open','api','admin','assistant','chat',3,5,7,6,1,'answered','ans_01m7gf8rpfbyf0a7ky1q1kbdqp',NULL);
INSERT INTO decisions VALUES (22,'2026-11-15T20:44:34.898Z','open','api','admin','assistant','setAccess',3,NULL,NULL,NULL,NULL,'changed',NULL,NULL);
INSERT INTO decisions VALUES (23,'2026-11-15T20:44:34.902Z','open','api','admin','assistant','chat',4,7,6,8,2,'answered','ans_01m7gf8rppcea2vcayfg6t03gh',NULL);
INSERT INTO decisions VALUES (24,'2026-11-15T20:44:34.905Z','open','api','admin','assistant','setAccess',4,NULL,NULL,NULL,NULL,'changed',NULL,NULL);
INSERT INTO decisions VALUES (25,'2026-11-15T20:44:34.909Z','open','api','admin','companion','companion',5,9,3,10,5,'answered','ans_01m7gf8rpxtv1ht1bctxzqepv2',NULL);
INSERT INTO decisions VALUES (26,'2026-11-15T20:44:34.912Z','open','api','admin','assistant','anchorReceipt',5,NULL,NULL,NULL,NULL,'anchored','ans_01m7gf8rmxwm53ef5jgze0tjnq',NULL);
INSERT INTO decisions VALUES (27,'2026-11-15T20:44:34.916Z','open','api','admin','assistant','anchorOnChain',5,NULL,NULL,NULL,NULL,'anchored','ans_01m7gf8rncg6ap5n8mgewaqh10',NULL);
INSERT INTO events VALUES (1,'2026-11-15T20:44:34.680Z','memory-forgotten','{}');
INSERT INTO events VALUES (2,'2026-11-15T20:44:34.680Z','policy-changed','{}');
INSERT INTO events VALUES (3,'2026-11-15T20:44:34.679Z','memory-captured','{"memoryId":"mem_01m7gf8rfr698zrbdfdwxyk22b","namespace":"health","sourceAgent":"companion"}');
INSERT INTO events VALUES (4,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfrg76ny5m4zvd2acjd","namespace":"health","sourceAgent":"companion"}');
INSERT INTO events VALUES (5,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfre831r4epqz31pjcx","namespace":"health","sourceAgent":"companion"}');
INSERT INTO events VALUES (6,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfr0yj6401s0ezxhrkr","namespace":"diet","sourceAgent":"assistant"}');
INSERT INTO events VALUES (7,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfrb65g71n4prgp91mr","namespace":"diet","sourceAgent":"assistant"}');
INSERT INTO events VALUES (8,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfrdqvh9dx99t76nccg","namespace":"diet","sourceAgent":"companion"}');
INSERT INTO events VALUES (9,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfr45as63eg41tctmg7","namespace":"fitness","sourceAgent":"companion"}');
INSERT INTO events VALUES (10,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfrewmkxb8r49ekkdgx","namespace":"fitness","sourceAgent":"companion"}');
INSERT INTO events VALUES (11,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfrp0z2a627gpt66tkm","namespace":"travel","sourceAgent":"planner"}');
INSERT INTO events VALUES (12,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfrty44dnnaf9264zyx","namespace":"travel","sourceAgent":"planner"}');
INSERT INTO events VALUES (13,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfrdyfdahfgmzvt3351","namespace":"work","sourceAgent":"planner"}');
INSERT INTO events VALUES (14,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfrpaaxm9htgvvexy3m","namespace":"work","sourceAgent":"assistant"}');
INSERT INTO events VALUES (15,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfr8byxrtv7y0xf7rfj","namespace":"finance","sourceAgent":"advisor"}');
INSERT INTO events VALUES (16,'2026-11-15T20:44:34.680Z','memory-captured','{"memoryId":"mem_01m7gf8rfrqvf95bn93p1yr8gb","namespace":"finance","sourceAgent":"advisor"}');
INSERT INTO events VALUES (17,'2026-11-15T20:44:34.751Z','memory-captured','{"memoryId":"mem_01m7gf8rhz7aw663z2jk62p5wx","namespace":"garden","sourceAgent":"assistant"}');
INSERT INTO events VALUES (18,'2026-11-15T20:44:34.769Z','memory-captured','{"memoryId":"mem_01m7gf8rjhgmtvs9qwm0cxb8vk","namespace":"pantry","sourceAgent":"assistant"}');
INSERT INTO events VALUES (19,'2026-11-15T20:44:34.776Z','memory-captured','{"memoryId":"mem_01m7gf8rjrkks97jty7gzt5a8b","namespace":"garden","sourceAgent":"assistant"}');
INSERT INTO events VALUES (20,'2026-11-15T20:44:34.783Z','memory-captured','{"memoryId":"mem_01m7gf8rjz952k52a0dsfqfssk","namespace":"pantry","sourceAgent":"assistant"}');
INSERT INTO events VALUES (21,'2026-11-15T20:44:34.788Z','memory-captured','{"memoryId":"mem_01m7gf8rk4e0eq3gpxvng65pef","namespace":"garden","sourceAgent":"assistant"}');
INSERT INTO events VALUES (22,'2026-11-15T20:44:34.792Z','memory-captured','{"memoryId":"mem_01m7gf8rk8aarrajtf2jkmpvvs","namespace":"pantry","sourceAgent":"assistant"}');
INSERT INTO events VALUES (23,'2026-11-15T20:44:34.796Z','memory-captured','{"memoryId":"mem_01m7gf8rkcce4dfcjwtnw0889g","namespace":"garden","sourceAgent":"assistant"}');
INSERT INTO events VALUES (24,'2026-11-15T20:44:34.801Z','memory-captured','{"memoryId":"mem_01m7gf8rkhx9k68v7mwdq37fb9","namespace":"pantry","sourceAgent":"assistant"}');
INSERT INTO events VALUES (25,'2026-11-15T20:44:34.805Z','memory-captured','{"memoryId":"mem_01m7gf8rknasev4xfj3vt3qwrp","namespace":"garden","sourceAgent":"assistant"}');
INSERT INTO events VALUES (26,'2026-11-15T20:44:34.813Z','memory-captured','{"memoryId":"mem_01m7gf8rkx17kqy03hvygs2533","namespace":"pantry","sourceAgent":"assistant"}');
INSERT INTO events VALUES (27,'2026-11-15T20:44:34.817Z','memory-captured','{"memoryId":"mem_01m7gf8rm1az59x8mp8re7pg9a","namespace":"garden","sourceAgent":"assistant"}');
INSERT INTO events VALUES (28,'2026-11-15T20:44:34.820Z','memory-captured','{"memoryId":"mem_01m7gf8rm4gt5sa2tw8v1rbz55","namespace":"pantry","sourceAgent":"assistant"}');
INSERT INTO events VALUES (29,'2026-11-15T20:44:34.845Z','receipt-issued','{"answerId":"ans_01m7gf8rmxwm53ef5jgze0tjnq","agentId":"assistant"}');
INSERT INTO events VALUES (30,'2026-11-15T20:44:34.850Z','policy-changed','{"version":2,"changed":{"agentId":"assistant","namespace":"garden","allowed":true}}');
INSERT INTO events VALUES (31,'2026-11-15T20:44:34.860Z','receipt-issued','{"answerId":"ans_01m7gf8rncg6ap5n8mgewaqh10","agentId":"assistant"}');
INSERT INTO events VALUES (32,'2026-11-15T20:44:34.863Z','policy-changed','{"version":3,"changed":{"agentId":"assistant","namespace":"pantry","allowed":true}}');
INSERT INTO events VALUES (33,'2026-11-15T20:44:34.876Z','receipt-issued','{"answerId":"ans_01m7gf8rnwddyqwgvb2ns52wt0","agentId":"assistant"}');
INSERT INTO events VALUES (34,'2026-11-15T20:44:34.888Z','receipt-issued','{"answerId":"ans_01m7gf8rp867v0xzv5yp0wwz03","agentId":"assistant"}');
INSERT INTO events VALUES (35,'2026-11-15T20:44:34.895Z','receipt-issued','{"answerId":"ans_01m7gf8rpfbyf0a7ky1q1kbdqp","agentId":"assistant"}');
INSERT INTO events VALUES (36,'2026-11-15T20:44:34.898Z','policy-changed','{"version":4,"changed":{"agentId":"assistant","namespace":"garden","allowed":false}}');
INSERT INTO events VALUES (37,'2026-11-15T20:44:34.902Z','receipt-issued','{"answerId":"ans_01m7gf8rppcea2vcayfg6t03gh","agentId":"assistant"}');
INSERT INTO events VALUES (38,'2026-11-15T20:44:34.905Z','policy-changed','{"version":5,"changed":{"agentId":"assistant","namespace":"pantry","allowed":false}}');
INSERT INTO events VALUES (39,'2026-11-15T20:44:34.909Z','receipt-issued','{"answerId":"ans_01m7gf8rpxtv1ht1bctxzqepv2","agentId":"companion"}');
INSERT INTO events VALUES (40,'2026-11-15T20:44:34.912Z','receipt-anchored','{"answerId":"ans_01m7gf8rmxwm53ef5jgze0tjnq","agentId":"assistant","blobId":"66h3dqdLhyljleYdid5S_vjNjxzS99vj7qkLegYz8fI"}');
INSERT INTO events VALUES (41,'2026-11-15T20:44:34.916Z','receipt-anchored','{"answerId":"ans_01m7gf8rncg6ap5n8mgewaqh10","agentId":"assistant","blobId":"jqkvRrnbrAeSPvY_G6wPl2Esg78Avl1Kz0GxzIDR7iI"}');
INSERT INTO events VALUES (42,'2026-11-15T20:44:35.350Z','receipt-anchored','{"blobId":"jqkvRrnbrAeSPvY_G6wPl2Esg78Avl1Kz0GxzIDR7iI","answerId":"ans_01m7gf8rncg6ap5n8mgewaqh10","agentId":"assistant","receiptId":"0x32ea6478db0347e449f9dc63a7d5e6d71454afe6f032bd2ddcfb960d1b49e153","txDigest":"33YJHK8mE7Js6a3CFU26dFVQ1xFbVRPMW9EfdYvHdFq7"}');
CREATE UNIQUE INDEX chain_requests_pending ON chain_requests (digest, claimed) WHERE receipt_id IS NULL;
CREATE INDEX transactions_open ON transactions (tx_digest) WHERE is_open = 1;
CREATE INDEX memories_namespace ON memories (namespace);
CREATE INDEX memories_source_agent ON memories (source_agent);
CREATE INDEX answers_agent ON answers (agent_id);
CREATE INDEX anchors_issued ON anchors (issued_answer) WHERE issued_answer IS NOT NULL;
CREATE INDEX chain_anchors_digest ON chain_anchors (digest);
CREATE INDEX memories_store_ref ON memories (store_ref);
CREATE INDEX memories_pinned ON memories (namespace) WHERE pinned = 1;
CREATE INDEX access_changes_newest ON access_changes (version DESC, agent_id, namespace);
CREATE INDEX namespaces_head ON namespaces (head);
CREATE INDEX forgotten_namespace ON forgotten (namespace);
CREATE INDEX pin_changes_namespace ON pin_changes (namespace);
CREATE INDEX source_agents_memories ON source_agents (memories DESC, name);
CREATE INDEX api_keys_admin ON api_keys (number) WHERE role = 'admin';
CREATE INDEX sessions_key ON sessions (key_id, created_at);
CREATE INDEX sessions_end ON sessions (ends_at);
CREATE INDEX memories_content_digest ON memories (content_digest);
CREATE INDEX idempotency_keys_begun ON idempotency_keys (begun_at);
CREATE INDEX decisions_at ON decisions (at);
CREATE INDEX decisions_agent ON decisions (agent_id, at) WHERE agent_id IS NOT NULL;
