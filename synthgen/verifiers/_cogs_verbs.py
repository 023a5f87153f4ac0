"""The verbs that the COGS verifier knows: every form with its base and the ways it may be used.

An entry is `form/base/uses`. Uses of a past form: n with an agent alone, u with a theme alone or as
a transitive verb, o transitive or without its object, t transitive, d dative, c with a that-clause,
i with an infinitive. Others: b infinitive after `to`; p participle of n, u, o or t; q participle of
a dative verb; w, y, z a base that as a single word has an agent, a theme, or both.
"""

from __future__ import annotations

from functools import cache

_ENTRIES = """
    admire/admire/z admired/admire/cpt adore/adore/z adored/adore/pt agreed/agree/i aimed/aim/i
    allocated/allocate/dq announced/announce/c appreciate/appreciate/z
    appreciated/appreciate/cpt argued/argue/c assigned/assign/dq assumed/assume/c ate/eat/o
    attempted/attempt/i awarded/award/dq bake/bake/z baked/bake/op began/begin/i
    believed/believe/c bend/bend/y bent/bend/pu blame/blame/z blamed/blame/pt bless/bless/z
    blessed/bless/pt blink/blink/w blinked/blink/n break/break/y brighten/brighten/y
    brightened/brighten/pu broke/break/u broken/break/p brought/bring/dq burn/burn/y
    burned/burn/pu call/call/bz called/call/op carried/carry/pt carry/carry/z carve/carve/z
    carved/carve/op catch/catch/z caught/catch/pt change/change/y changed/change/pu
    chase/chase/z chased/chase/pt chew/chew/z chewed/chew/op chose/choose/i chuckle/chuckle/w
    chuckled/chuckle/n claimed/claim/c clean/clean/bz cleaned/clean/op collapse/collapse/y
    collapsed/collapse/pu concluded/conclude/c confessed/confess/c continued/continue/i
    conveyed/convey/dq cook/cook/bz cooked/cook/op cough/cough/bw coughed/cough/n craved/crave/i
    crawl/crawl/bw cried/cry/n crumple/crumple/y crumpled/crumple/pu cry/cry/bw dance/dance/bw
    danced/dance/n dared/dare/i darken/darken/y darkened/darken/pu decided/decide/i
    declared/declare/c decompose/decompose/y decomposed/decompose/pu decorate/decorate/z
    decorated/decorate/op delivered/deliver/dq denied/deny/c discover/discover/z
    discovered/discover/pt disintegrate/disintegrate/y disintegrated/disintegrate/pu
    dispatched/dispatch/dq dissolve/dissolve/y dissolved/dissolve/pu donated/donate/dq
    double/double/y doubled/double/pu doubted/doubt/c doze/doze/bw dozed/doze/n draw/draw/bz
    drawn/draw/p dreamed/dream/ci drew/draw/o dust/dust/bz dusted/dust/op eat/eat/bz eaten/eat/p
    emailed/email/dq enjoyed/enjoy/i enlarge/enlarge/y enlarged/enlarge/pu envied/envy/pt
    envy/envy/z evaporate/evaporate/y evaporated/evaporate/pu examine/examine/z
    examined/examine/op expected/expect/ci explained/explain/c explode/explode/y
    exploded/explode/pu fade/fade/y faded/fade/pu failed/fail/i faxed/fax/dq fear/fear/z
    feared/fear/cpt fed/feed/dq find/find/z float/float/y floated/float/pu follow/follow/z
    followed/follow/op forgot/forget/ci forwarded/forward/dq found/find/pt freeze/freeze/y
    frown/frown/bw frowned/frown/n froze/freeze/u frozen/freeze/p gasp/gasp/w gasped/gasp/n
    gave/give/d giggle/giggle/bw giggled/giggle/n given/give/q grab/grab/z grabbed/grab/pt
    granted/grant/dq greet/greet/z greeted/greet/pt grew/grow/u grin/grin/bw grinned/grin/n
    groan/groan/w groaned/groan/n grow/grow/y grown/grow/p guessed/guess/c handed/hand/dq
    harden/harden/y hardened/harden/pu harvest/harvest/z harvested/harvest/op hated/hate/i
    hear/hear/z heard/hear/op held/hold/pt help/help/z helped/help/pt hesitated/hesitate/i
    hiccup/hiccup/w hiccupped/hiccup/n hold/hold/z hoped/hope/ci hug/hug/z hugged/hug/pt
    hunt/hunt/bz hunted/hunt/op ignore/ignore/z ignored/ignore/pt imagined/imagine/c
    improve/improve/y improved/improve/pu inflate/inflate/y inflated/inflate/pu
    insisted/insist/c inspect/inspect/z inspected/inspect/op intended/intend/i
    investigate/investigate/bz investigated/investigate/op issued/issue/dq itched/itch/i
    jog/jog/bw jogged/jog/n juggle/juggle/z juggled/juggle/op kick/kick/z kicked/kick/pt
    kneel/kneel/w knelt/kneel/n knew/know/o knit/knit/bz knitted/knit/op know/know/z
    known/know/p laugh/laugh/bw laughed/laugh/n learned/learn/ci leased/lease/dq lended/lend/dq
    lift/lift/z lifted/lift/pt like/like/z liked/like/cipt limp/limp/w limped/limp/n
    loaned/loan/dq loiter/loiter/w loitered/loiter/n longed/long/i love/love/z loved/love/ipt
    mailed/mail/dq managed/manage/i meant/mean/ci melt/melt/y melted/melt/pu miss/miss/z
    missed/miss/pt mock/mock/z mocked/mock/pt mumble/mumble/w mumbled/mumble/n nap/nap/bw
    napped/nap/n needed/need/i notice/notice/z noticed/notice/cop nurse/nurse/z nursed/nurse/op
    observe/observe/bz observed/observe/op offered/offer/dq pack/pack/bz packed/pack/op
    paint/paint/bz painted/paint/op passed/pass/dq photograph/photograph/z
    photographed/photograph/op pierce/pierce/z pierced/pierce/pt planned/plan/i poke/poke/z
    poked/poke/pt polish/polish/z polished/polish/op posted/post/dq praise/praise/z
    praised/praise/pt pray/pray/bw prayed/pray/n predicted/predict/c preferred/prefer/i
    promised/promise/dq protect/protect/z protected/protect/pt proved/prove/c push/push/z
    pushed/push/pt ran/run/n read/read/b realized/realize/c recalled/recall/c redden/redden/y
    reddened/redden/pu refunded/refund/dq refused/refuse/i rehearse/rehearse/bz
    rehearsed/rehearse/op relayed/relay/dq remembered/remember/ci rented/rent/dq replied/reply/c
    rescue/rescue/z rescued/rescue/pt resolved/resolve/i respect/respect/z respected/respect/cpt
    returned/return/dq review/review/z reviewed/review/op ripen/ripen/y ripened/ripen/pu
    roll/roll/y rolled/roll/pu run/run/bw said/say/c saw/see/o scoff/scoff/w scoffed/scoff/n
    scream/scream/bw screamed/scream/n scrub/scrub/z scrubbed/scrub/op sculpt/sculpt/z
    sculpted/sculpt/op see/see/z seen/see/p sent/send/dq served/serve/dq shatter/shatter/y
    shattered/shatter/pu shipped/ship/dq shiver/shiver/w shivered/shiver/n shorten/shorten/y
    shortened/shorten/pu showed/show/d shown/show/q shrank/shrink/u shrink/shrink/y
    shrunk/shrink/p sigh/sigh/w sighed/sigh/n sketch/sketch/bz sketched/sketch/op sleep/sleep/bw
    slept/sleep/n slid/slide/pu slide/slide/y slipped/slip/dq smile/smile/bw smiled/smile/n
    smirk/smirk/bw smirked/smirk/n smuggled/smuggle/dq snap/snap/y snapped/snap/pu
    sneeze/sneeze/bw sneezed/sneeze/n snooze/snooze/w snoozed/snooze/n snore/snore/w
    snored/snore/n sob/sob/w sobbed/sob/n soften/soften/y softened/soften/pu sold/sell/dq
    spin/spin/y split/split/puy spot/spot/z spotted/spot/pt spun/spin/pu squeeze/squeeze/z
    squeezed/squeeze/pt stab/stab/z stabbed/stab/pt started/start/i stated/state/c steer/steer/z
    steered/steer/op stitch/stitch/z stitched/stitch/op struggled/struggle/i studied/study/op
    study/study/bz stutter/stutter/w stuttered/stutter/n supplied/supply/dq supported/support/c
    survey/survey/z surveyed/survey/op suspected/suspect/c swam/swim/n sweep/sweep/bz
    swell/swell/y swelled/swell/u swept/sweep/op swim/swim/bw swollen/swell/p swore/swear/i
    talk/talk/bw talked/talk/n taught/teach/dq tear/tear/y teleported/teleport/dq thank/thank/z
    thanked/thank/pt thaw/thaw/y thawed/thaw/pu thicken/thicken/y thickened/thicken/pu
    thought/think/c threw/throw/t throw/throw/z thrown/throw/p tilt/tilt/y tilted/tilt/pu
    told/tell/dq tolerate/tolerate/z tolerated/tolerate/cpt topple/topple/y toppled/topple/pu
    tore/tear/u torn/tear/p toss/toss/z tossed/toss/pt touch/touch/z touched/touch/pt
    traded/trade/dq translate/translate/z translated/translate/op tremble/tremble/w
    trembled/tremble/n tried/try/i trust/trust/z trusted/trust/pt value/value/z valued/value/cpt
    vowed/vow/i waited/wait/i walk/walk/bw walked/walk/n wander/wander/bw wandered/wander/n
    wanted/want/i wash/wash/z washed/wash/op weave/weave/bz weep/weep/w wept/weep/n
    widen/widen/y widened/widen/pu wired/wire/dq wished/wish/ci worship/worship/z
    worshipped/worship/pt wove/weave/o woven/weave/p written/write/q wrote/write/d yawn/yawn/bw
    yawned/yawn/n yearned/yearn/i
"""


@cache
def verb_forms() -> dict[str, tuple[str, str]]:
    """Return base and uses of every verb form."""
    forms: dict[str, tuple[str, str]] = {}
    for entry in _ENTRIES.split():
        form, base, uses = entry.split("/")
        forms[form] = (base, uses)
    return forms
