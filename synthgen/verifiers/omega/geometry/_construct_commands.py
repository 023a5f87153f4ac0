"""What the commands of constructions take, make and say.

A paragraph for each command: its name, the kinds of its arguments and results and the number of
its integers, then its sentences, one a line; a deeper line goes on. Kinds: P point, L line, S
segment, V vector, C circle, T triangle, G regular polygon, M length; `*` as many points as the
first integer says. In the sentences `<a>`, `<b>`, `<c>`, `<d>` are the arguments, `<x>`, `<y>` the
first results, `<z>` the last one, `<n>`, `<m>` the integers, and `<side>` is an integer in words.
"""

from __future__ import annotations

BASIC = """\
point: - > P 0
  Mark a new point <x> in the plane.
  Let <x> be any new point of the plane.
point_apart: P > P 1
  Let <x> be a point at distance <n> from <a>.
  Choose a point <x> whose distance from <a> is <n>.
point_away: PM > P 0
  Let <x> be a point at distance <b> from <a>.
  Choose a point <x> whose distance from <a> is <b>.
point_along: LPP > P 2
  Of the two points on line <a> at distance <n> from <b>, let <x> be the one <side> <c>.
  Line <a> has two points at distance <n> from <b>; let <x> be the one <side> <c>.
point_along_m: LPPM > P 1
  Of the two points on line <a> at distance <d> from <b>, let <x> be the one <side> <c>.
  Line <a> has two points at distance <d> from <b>; let <x> be the one <side> <c>.
point_on_l: L > P 0
  Choose any new point <x> on line <a>.
  Let <x> be an arbitrary new point of line <a>.
point_on_s: S > P 0
  Choose any new point <x> on segment <a>.
  Let <x> be an arbitrary new point of segment <a>.
line_pp: PP > L 0
  Draw line <x> through <a> and <b>.
  Let <x> be the line that joins <a> and <b>.
segment_pp: PP > S 0
  Draw segment <x>.
  Join <a> and <b> by segment <x>.
vector_pp: PP > V 0
  Consider the vector <x> from <a> to <b>.
  Take the vector <x> that leads from <a> to <b>.
parallel_pl: PL > L 0
  Draw line <x> through <a> parallel to line <b>.
  Let <x> be the parallel to line <b> through <a>.
parallel_ps: PS > L 0
  Draw line <x> through <a> parallel to segment <b>.
  Let <x> be the parallel to segment <b> through <a>.
perpendicular_pl: PL > L 0
  Draw line <x> through <a> perpendicular to line <b>.
  Let <x> be the perpendicular to line <b> through <a>.
perpendicular_ps: PS > L 0
  Draw line <x> through <a> perpendicular to segment <b>.
  Let <x> be the line through <a> at right angles to segment <b>.
bisector_pp: PP > L 0
  Let <x> be the line of all points that are equally far from <a> and <b>.
  Draw the line <x> whose points have equal distances from <a> and <b>.
bisector_s: S > L 0
  Let <x> be the perpendicular bisector of segment <a>.
  Draw the perpendicular bisector <x> of segment <a>.
midpoint_pp: PP > P 0
  Let <x> be the point halfway between <a> and <b>.
  Mark the point <x> in the middle between <a> and <b>.
midpoint_s: S > P 0
  Let <x> be the midpoint of segment <a>.
  Mark the midpoint <x> of segment <a>.
mirror_pp: PP > P 0
  Reflect <a> in the point <b> to get <x>.
  Let <x> be the reflection of <a> in the point <b>.
mirror_pl: PL > P 0
  Reflect <a> in line <b> to get <x>.
  Let <x> be the mirror image of <a> in line <b>.
mirror_ps: PS > P 0
  Reflect <a> in the line that contains segment <b> to get <x>.
  Let <x> be the mirror image of <a> in the line along segment <b>.
mirror_pc: PC > P 0
  Let <x> be the inverse of <a> in circle <b>.
  Invert <a> in circle <b> to get <x>.
mirror_lp: LP > L 0
  Reflect line <a> in the point <b> to get line <x>.
  Let <x> be the image of line <a> under the half-turn about <b>.
mirror_ll: LL > L 0
  Reflect line <a> in line <b> to get line <x>.
  Let <x> be the mirror image of line <a> in line <b>.
mirror_cp: CP > C 0
  Reflect circle <a> in the point <b> to get circle <x>.
  Let <x> be the image of circle <a> under the half-turn about <b>.
mirror_cl: CL > C 0
  Reflect circle <a> in line <b> to get circle <x>.
  Let <x> be the mirror image of circle <a> in line <b>.
meet_ll: LL > P 0
  Lines <a> and <b> meet at <x>.
  Let <x> be the intersection of lines <a> and <b>.
meet_ls: LS > P 0
  Line <a> meets segment <b> at <x>.
  Let <x> be the point where line <a> crosses segment <b>.
meet_ss: SS > P 0
  Segments <a> and <b> meet at <x>.
  Let <x> be the point where segments <a> and <b> cross.
translate: PV > P 0
  Translate <a> by the vector <b> to get <x>.
  Moving <a> by the vector <b> gives <x>.
rotate: PP > P 1
  Rotate <a> about <b> by <n> degrees counterclockwise to get <x>.
  Turning <a> around <b> counterclockwise through <n> degrees gives <x>.
angle_bisector: PPP > L 0
  Let <x> be the bisector of angle <abc>.
  Draw the line <x> that bisects angle <abc>.
bisector_ll: LL > L 0
  Let <x> be the line that bisects the acute angles between lines <a> and <b>.
  Draw the line <x> that halves the acute angles formed by lines <a> and <b>.
bisector_ss: SS > L 0
  Let <x> be the line that bisects the acute angles between the lines that contain segments <a>
    and <b>.
  Extend segments <a> and <b> to lines, and let <x> be the bisector of their acute angles.
distance: PP > M 0
  Let <x> be the distance between <a> and <b>.
  Denote the distance from <a> to <b> by <x>.
"""
CIRCLE = """\
circle_pr: P > C 1
  Draw circle <x> with centre <a> and radius <n>.
  Let <x> be the circle of radius <n> about <a>.
circle_pm: PM > C 0
  Draw circle <x> with centre <a> and radius <b>.
  Let <x> be the circle of radius <b> about <a>.
circle_pp: PP > C 0
  Draw circle <x> with centre <a> through <b>.
  Let <x> be the circle about <a> that passes through <b>.
circle_ppp: PPP > C 0
  Draw circle <x> through <a>, <b> and <c>.
  Let <x> be the circle on which <a>, <b> and <c> lie.
center: C > P 0
  Let <x> be the centre of circle <a>.
  Mark the centre <x> of circle <a>.
chord: CP > PP 1
  Draw a chord <xy> of length <n> in circle <a>, with <b>, <x> and <y> in counterclockwise
    order.
  In circle <a> let <xy> be a chord of length <n> such that <b>, <x> and <y> are in
    counterclockwise order.
meet_lc: LCP > P 1
  Of the two points where line <a> meets circle <b>, let <x> be the one <side> <c>.
  Line <a> cuts circle <b> in two points; let <x> be the one <side> <c>.
meet_lc_other: LCP > P 0
  Line <a> meets circle <b> at <c> and again at <x>.
  Let <x> be the intersection of line <a> and circle <b> other than <c>.
meet_cs: CS > P 0
  Segment <b> crosses circle <a> at <x>.
  Let <x> be the only point of segment <b> on circle <a>.
meet_arc: CPPL > P 0
  The arc of circle <a> that leads counterclockwise from <b> to <c> meets line <d> at <x>.
  Let <x> be the only point of line <d> on the arc of circle <a> from <b> counterclockwise to
    <c>.
meet_cc: CCP > P 1
  Of the two points where circles <a> and <b> meet, let <x> be the one <side> <c>.
  Circles <a> and <b> cut each other in two points; let <x> be the one <side> <c>.
meet_cc_other: CCP > P 0
  Circles <a> and <b> meet at <c> and again at <x>.
  Let <x> be the intersection of circles <a> and <b> other than <c>.
point_on_c: C > P 0
  Choose any new point <x> on circle <a>.
  Let <x> be an arbitrary new point of circle <a>.
point_aside: LP > P 1
  Let <x> be either of the two points on line <a> at distance <n> from <b>.
  Choose a point <x> on line <a> at distance <n> from <b>.
polar: PC > L 0
  Let <x> be the polar of <a> with respect to circle <b>.
  Draw the polar <x> of <a> with respect to circle <b>.
radius: C > M 0
  Let <x> be the radius of circle <a>.
  Denote the radius of circle <a> by <x>.
tangent_at: PC > L 0
  Draw the tangent <x> to circle <b> at <a>.
  Let <x> be the line that touches circle <b> at <a>.
tangent_from: PCP > L 1
  Of the two tangents from <a> to circle <b>, let <x> be the one whose point of contact is
    <side> <c>.
  Two lines through <a> touch circle <b>; let <x> be the one that touches it <side> <c>.
touch_out: C > PC 1
  Draw a circle <y> with centre <x> and radius <n> that touches circle <a> from outside.
  Circle <y> about <x> has radius <n> and touches circle <a> from outside.
touch_in: C > PC 1
  Draw a circle <y> with centre <x> and radius <n> that touches circle <a> from inside.
  Circle <y> about <x> has radius <n> and touches circle <a> from inside.
touch_out_at: CP > PC 1
  Draw the circle <y> with centre <x> and radius <n> that touches circle <a> from outside at
    <b>.
  Circle <y> about <x> has radius <n> and touches circle <a> from outside at <b>.
touch_in_at: CP > PC 1
  Draw the circle <y> with centre <x> and radius <n> that touches circle <a> from inside at
    <b>.
  Circle <y> about <x> has radius <n> and touches circle <a> from inside at <b>.
touch_out_cc: CCP > PC 2
  Of the two circles of radius <n> that touch circles <a> and <b> from outside, let <y> be the
    one whose centre <x> is <side> <c>.
  Two circles of radius <n> touch both circle <a> and circle <b> from outside; let <y> be the
    one whose centre <x> is <side> <c>.
"""
TRIANGLE = """\
triangle: PPP > T 0
  Draw triangle <x>.
  Consider triangle <x>.
equilateral: - > PPPT 1
  Let <z> be an equilateral triangle of side <n>, its vertices named counterclockwise.
  Draw an equilateral triangle <z> with sides of length <n> and vertices named
    counterclockwise.
centroid: T > P 0
  Let <x> be the centroid of triangle <a>.
  Mark the centroid <x> of triangle <a>.
circumcenter: T > P 0
  Let <x> be the circumcentre of triangle <a>.
  Mark the circumcentre <x> of triangle <a>.
orthocenter: T > P 0
  Let <x> be the orthocentre of triangle <a>.
  The altitudes of triangle <a> meet at <x>.
incenter: T > P 0
  Let <x> be the incentre of triangle <a>.
  The inner angle bisectors of triangle <a> meet at <x>.
circumcircle_t: T > C 0
  Let <x> be the circumcircle of triangle <a>.
  Draw the circumcircle <x> of triangle <a>.
incircle: T > C 0
  Let <x> be the incircle of triangle <a>.
  Draw the incircle <x> of triangle <a>.
circumradius: T > M 0
  Let <x> be the circumradius of triangle <a>.
  Denote the circumradius of triangle <a> by <x>.
inradius: T > M 0
  Let <x> be the inradius of triangle <a>.
  Denote the inradius of triangle <a> by <x>.
"""
POLYGON = """\
polygon: P > *G 2
  Let <z> be a regular polygon with <n> sides, centre <a> and circumradius <m>, its vertices
    named counterclockwise.
  Draw a regular polygon <z> with <n> sides and circumradius <m> about the centre <a>, its
    vertices named counterclockwise.
polygon_at: PP > *G 2
  Let <z> be the regular polygon with <n> sides, centre <a> and circumradius <m> whose vertex
    <x> lies on the ray from <a> through <b>, its vertices named counterclockwise.
  Draw the regular polygon <z> with <n> sides and circumradius <m> about the centre <a>, its
    vertices named counterclockwise and <x> on the ray from <a> through <b>.
polygon_m: PM > *G 1
  Let <z> be a regular polygon with <n> sides, centre <a> and circumradius <b>, its vertices
    named counterclockwise.
  Draw a regular polygon <z> with <n> sides and circumradius <b> about the centre <a>, its
    vertices named counterclockwise.
circumcircle_g: G > C 0
  Let <x> be the circumcircle of polygon <a>.
  Draw the circumcircle <x> of polygon <a>.
"""
