"""Words of the larger lexicon, which follow those of the published one in each list.

Verbs are told as `past:base`, or `past:participle:base` where they have a passive.
"""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ANIMATE_NOUNS = _words("""
    uncle aunt cousin nephew niece grandmother grandfather husband widow orphan toddler
    neighbour dentist pharmacist engineer architect plumber carpenter mechanic electrician pilot
    astronaut detective sheriff mayor senator ambassador minister emperor empress knight squire
    jester wizard witch sorcerer elf dwarf goblin troll ogre mermaid fairy vampire pirate
    admiral colonel sergeant gymnast athlete goalkeeper referee wrestler boxer cyclist runner
    singer dancer actor actress comedian magician clown novelist editor librarian curator
    historian linguist economist biologist physicist astronomer geologist banker cashier clerk
    secretary waiter waitress chef butcher grocer tailor shepherd fisherman gardener beekeeper
    camel llama goat rabbit hamster ferret badger otter beaver raccoon panda koala kangaroo
    gorilla leopard cheetah jaguar walrus dolphin octopus lobster crab salmon trout parrot
    pigeon falcon eagle sparrow ostrich flamingo pelican lizard gecko
""")
"""Persons, animals and other beings."""

INANIMATE_NOUNS = _words("""
    apple orange pear peach plum cherry grape lime mango papaya coconut carrot onion garlic
    cabbage spinach lettuce cucumber tomato turnip radish celery mushroom noodle dumpling
    burrito waffle croissant bagel omelette salad lemonade milkshake candle lantern lighter
    compass telescope microscope thermometer calculator laptop tablet camera antenna battery
    cable socket charger lens umbrella raincoat sweater cardigan blouse trousers skirt necklace
    bracelet earring brooch wallet suitcase ticket passport postcard magazine dictionary atlas
    diary notepad eraser ruler stapler scissors puzzle kite yoyo puppet robot drum trumpet
    violin cello flute harp trombone accordion tambourine xylophone kettle toaster spatula ladle
    grater corkscrew funnel sponge broom dustpan detergent shampoo razor perfume lipstick medal
    ribbon quilt curtain rope anchor pebble feather acorn pinecone seashell icicle snowball
    sandcastle boomerang frisbee helmet racket
""")
"""Things."""

NAMES = _words("""
    Arthur Beatrice Cedric Daphne Edmund Felicity Gordon Helena Ivan Josephine Kenneth Lucinda
    Malcolm Nadia Oscar Phoebe Quentin Rosalind Simon Tabitha Ulrich Valerie Walter Xenia Yvonne
    Zachary Adele Bernard Cordelia Desmond Edith Francis Gertrude Howard Ingrid Jasper Katherine
    Leonard Miriam Norman Ophelia Patrick Rachel Stanley Theresa Ursula Vincent Wendy Adrian
    Bridget Conrad Dorothy Ernest Fiona Gilbert Harriet Isidore Joanna Keith Louise Martin
    Nicole Otto Priscilla Roland Sylvia Trevor Vera Winston Agatha Boris Celeste Duncan Elaine
    Floyd Gwendolyn Hector Irene Jerome Kirsten Lionel Mabel Neville Odette Percy Ramona Silas
    Thelma Vernon Wilma Alfred Blanche Clyde Doreen Eugene Frieda Godfrey Hilda Igor Judith
""")
"""First names."""

ON_NOUNS = _words("""
    balcony terrace roof hill cliff island pier runway pavement lawn meadow ridge doormat mat
    tatami seesaw saddle sledge raft canoe ferry escalator staircase altar mantelpiece dresser
    sideboard easel workbench anvil scaffold stepladder rooftop patio verandah sandbank reef
    windshield dashboard tarmac
""")
"""Places to be on."""

IN_NOUNS = _words("""
    attic basement cellar garage barn aquarium greenhouse orchard vineyard forest jungle cave
    tunnel canyon valley lagoon harbour chapel cathedral temple museum library theatre cinema
    hospital laboratory classroom dormitory hotel hostel motel cabin cottage igloo mansion
    elevator cockpit submarine suitcase locker pantry thermos
""")
"""Places to be in."""

BESIDE_NOUNS = _words("""
    fountain gate hydrant lamppost mailbox signpost billboard windmill lighthouse obelisk
    monument gravestone scarecrow campfire chimney fireplace radiator heater aquarium waterfall
    river lake pond swamp oak willow pine maple cactus bonsai shrub vineyard orchard tractor
    motorcycle scooter tram caravan
""")
"""Places to be beside."""

UNERGATIVE_VERBS = _words("""
    grinned:grin chuckled:chuckle yawned:yawn coughed:cough hiccupped:hiccup shivered:shiver
    trembled:tremble wept:weep sobbed:sob swam:swim knelt:kneel dozed:doze blinked:blink
    limped:limp wandered:wander mumbled:mumble groaned:groan sighed:sigh loitered:loiter
    prayed:pray
""")
"""With an agent alone."""

UNACCUSATIVE_VERBS = _words("""
    melted:melted:melt widened:widened:widen hardened:hardened:harden softened:softened:soften
    shrank:shrunk:shrink thawed:thawed:thaw faded:faded:fade dissolved:dissolved:dissolve
    exploded:exploded:explode evaporated:evaporated:evaporate tilted:tilted:tilt
    toppled:toppled:topple spun:spun:spin swelled:swollen:swell tore:torn:tear
    thickened:thickened:thicken darkened:darkened:darken brightened:brightened:brighten
    ripened:ripened:ripen bent:bent:bend
""")
"""With a theme alone, or with agent and theme."""

OMISSIBLE_VERBS = _words("""
    carved:carved:carve knitted:knitted:knit wove:woven:weave washed:washed:wash
    swept:swept:sweep polished:polished:polish photographed:photographed:photograph
    sculpted:sculpted:sculpt stitched:stitched:stitch rehearsed:rehearsed:rehearse
    inspected:inspected:inspect reviewed:reviewed:review followed:followed:follow
    steered:steered:steer chewed:chewed:chew scrubbed:scrubbed:scrub harvested:harvested:harvest
    decorated:decorated:decorate translated:translated:translate surveyed:surveyed:survey
""")
"""Transitive verbs that may go without their object."""

TRANSITIVE_VERBS = _words("""
    praised:praised:praise blamed:blamed:blame chased:chased:chase hugged:hugged:hug
    carried:carried:carry lifted:lifted:lift grabbed:grabbed:grab trusted:trusted:trust
    feared:feared:fear envied:envied:envy ignored:ignored:ignore rescued:rescued:rescue
    protected:protected:protect greeted:greeted:greet thanked:thanked:thank mocked:mocked:mock
    pushed:pushed:push kicked:kicked:kick caught:caught:catch spotted:spotted:spot
""")
"""Transitive verbs that need their object."""

DATIVE_VERBS = _words("""
    showed:shown:show told:told:tell granted:granted:grant delivered:delivered:deliver
    faxed:faxed:fax emailed:emailed:email assigned:assigned:assign allocated:allocated:allocate
    donated:donated:donate leased:leased:lease supplied:supplied:supply relayed:relayed:relay
    traded:traded:trade refunded:refunded:refund dispatched:dispatched:dispatch
    conveyed:conveyed:convey smuggled:smuggled:smuggle wrote:written:write taught:taught:teach
    issued:issued:issue
""")
"""With agent, theme and recipient."""

CLAUSE_VERBS = _words("""
    claimed:claim announced:announce argued:argue doubted:doubt guessed:guess
    remembered:remember forgot:forget suspected:suspect insisted:insist explained:explain
    replied:reply stated:state learned:learn realized:realize concluded:conclude
    predicted:predict assumed:assume feared:fear denied:deny recalled:recall
""")
"""Followed by `that` and a sentence."""

CONTROL_VERBS = _words("""
    decided:decide agreed:agree refused:refuse learned:learn hesitated:hesitate
    struggled:struggle managed:manage started:start began:begin continued:continue forgot:forget
    remembered:remember dared:dare aimed:aim swore:swear chose:choose vowed:vow resolved:resolve
    waited:wait failed:fail
""")
"""Followed by `to` and an infinitive."""

INFINITIVES = _words("""
    smile laugh cry scream frown yawn cough wander doze swim draw pack study observe weave knit
    sweep rehearse pray grin
""")
"""After a control verb and `to`; bases of verbs of either lexicon."""
