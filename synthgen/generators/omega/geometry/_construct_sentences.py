"""Sentences for the commands of constructions, two for each."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, tuple[str, str]] = {
    "point": ("Mark a new point {x} in the plane.", "Let {x} be any new point of the plane."),
    "point_apart": (
        "Let {x} be a point at distance {n} from {a}.",
        "Choose a point {x} whose distance from {a} is {n}.",
    ),
    "point_away": (
        "Let {x} be a point at distance {b} from {a}.",
        "Choose a point {x} whose distance from {a} is {b}.",
    ),
    "point_along": (
        "Of the two points on line {a} at distance {n} from {b}, let {x} be the one {side} {c}.",
        "Line {a} has two points at distance {n} from {b}; let {x} be the one {side} {c}.",
    ),
    "point_along_m": (
        "Of the two points on line {a} at distance {d} from {b}, let {x} be the one {side} {c}.",
        "Line {a} has two points at distance {d} from {b}; let {x} be the one {side} {c}.",
    ),
    "point_on_l": (
        "Choose any new point {x} on line {a}.",
        "Let {x} be an arbitrary new point of line {a}.",
    ),
    "point_on_s": (
        "Choose any new point {x} on segment {a}.",
        "Let {x} be an arbitrary new point of segment {a}.",
    ),
    "line_pp": (
        "Draw line {x} through {a} and {b}.",
        "Let {x} be the line that joins {a} and {b}.",
    ),
    "segment_pp": ("Draw segment {x}.", "Join {a} and {b} by segment {x}."),
    "vector_pp": (
        "Consider the vector {x} from {a} to {b}.",
        "Take the vector {x} that leads from {a} to {b}.",
    ),
    "parallel_pl": (
        "Draw line {x} through {a} parallel to line {b}.",
        "Let {x} be the parallel to line {b} through {a}.",
    ),
    "parallel_ps": (
        "Draw line {x} through {a} parallel to segment {b}.",
        "Let {x} be the parallel to segment {b} through {a}.",
    ),
    "perpendicular_pl": (
        "Draw line {x} through {a} perpendicular to line {b}.",
        "Let {x} be the perpendicular to line {b} through {a}.",
    ),
    "perpendicular_ps": (
        "Draw line {x} through {a} perpendicular to segment {b}.",
        "Let {x} be the line through {a} at right angles to segment {b}.",
    ),
    "bisector_pp": (
        "Let {x} be the line of all points that are equally far from {a} and {b}.",
        "Draw the line {x} whose points have equal distances from {a} and {b}.",
    ),
    "bisector_s": (
        "Let {x} be the perpendicular bisector of segment {a}.",
        "Draw the perpendicular bisector {x} of segment {a}.",
    ),
    "midpoint_pp": (
        "Let {x} be the point halfway between {a} and {b}.",
        "Mark the point {x} in the middle between {a} and {b}.",
    ),
    "midpoint_s": (
        "Let {x} be the midpoint of segment {a}.",
        "Mark the midpoint {x} of segment {a}.",
    ),
    "mirror_pp": (
        "Reflect {a} in the point {b} to get {x}.",
        "Let {x} be the reflection of {a} in the point {b}.",
    ),
    "mirror_pl": (
        "Reflect {a} in line {b} to get {x}.",
        "Let {x} be the mirror image of {a} in line {b}.",
    ),
    "mirror_ps": (
        "Reflect {a} in the line that contains segment {b} to get {x}.",
        "Let {x} be the mirror image of {a} in the line along segment {b}.",
    ),
    "mirror_pc": (
        "Let {x} be the inverse of {a} in circle {b}.",
        "Invert {a} in circle {b} to get {x}.",
    ),
    "mirror_lp": (
        "Reflect line {a} in the point {b} to get line {x}.",
        "Let {x} be the image of line {a} under the half-turn about {b}.",
    ),
    "mirror_ll": (
        "Reflect line {a} in line {b} to get line {x}.",
        "Let {x} be the mirror image of line {a} in line {b}.",
    ),
    "mirror_cp": (
        "Reflect circle {a} in the point {b} to get circle {x}.",
        "Let {x} be the image of circle {a} under the half-turn about {b}.",
    ),
    "mirror_cl": (
        "Reflect circle {a} in line {b} to get circle {x}.",
        "Let {x} be the mirror image of circle {a} in line {b}.",
    ),
    "meet_ll": (
        "Lines {a} and {b} meet at {x}.",
        "Let {x} be the intersection of lines {a} and {b}.",
    ),
    "meet_ls": (
        "Line {a} meets segment {b} at {x}.",
        "Let {x} be the point where line {a} crosses segment {b}.",
    ),
    "meet_ss": (
        "Segments {a} and {b} meet at {x}.",
        "Let {x} be the point where segments {a} and {b} cross.",
    ),
    "translate": (
        "Translate {a} by the vector {b} to get {x}.",
        "Moving {a} by the vector {b} gives {x}.",
    ),
    "rotate": (
        "Rotate {a} about {b} by {n} degrees counterclockwise to get {x}.",
        "Turning {a} around {b} counterclockwise through {n} degrees gives {x}.",
    ),
    "angle_bisector": (
        "Let {x} be the bisector of angle {a}{b}{c}.",
        "Draw the line {x} that bisects angle {a}{b}{c}.",
    ),
    "bisector_ll": (
        "Let {x} be the line that bisects the acute angles between lines {a} and {b}.",
        "Draw the line {x} that halves the acute angles formed by lines {a} and {b}.",
    ),
    "bisector_ss": (
        "Let {x} be the line that bisects the acute angles between the lines that contain"
        " segments {a} and {b}.",
        "Extend segments {a} and {b} to lines, and let {x} be the bisector of their acute angles.",
    ),
    "distance": (
        "Let {x} be the distance between {a} and {b}.",
        "Denote the distance from {a} to {b} by {x}.",
    ),
    "circle_pr": (
        "Draw circle {x} with centre {a} and radius {n}.",
        "Let {x} be the circle of radius {n} about {a}.",
    ),
    "circle_pm": (
        "Draw circle {x} with centre {a} and radius {b}.",
        "Let {x} be the circle of radius {b} about {a}.",
    ),
    "circle_pp": (
        "Draw circle {x} with centre {a} through {b}.",
        "Let {x} be the circle about {a} that passes through {b}.",
    ),
    "circle_ppp": (
        "Draw circle {x} through {a}, {b} and {c}.",
        "Let {x} be the circle on which {a}, {b} and {c} lie.",
    ),
    "center": ("Let {x} be the centre of circle {a}.", "Mark the centre {x} of circle {a}."),
    "chord": (
        "Draw a chord {x}{y} of length {n} in circle {a}, with {b}, {x} and {y} in"
        " counterclockwise order.",
        "In circle {a} let {x}{y} be a chord of length {n} such that {b}, {x} and {y} are in"
        " counterclockwise order.",
    ),
    "meet_lc": (
        "Of the two points where line {a} meets circle {b}, let {x} be the one {side} {c}.",
        "Line {a} cuts circle {b} in two points; let {x} be the one {side} {c}.",
    ),
    "meet_lc_other": (
        "Line {a} meets circle {b} at {c} and again at {x}.",
        "Let {x} be the intersection of line {a} and circle {b} other than {c}.",
    ),
    "meet_cs": (
        "Segment {b} crosses circle {a} at {x}.",
        "Let {x} be the only point of segment {b} on circle {a}.",
    ),
    "meet_arc": (
        "The arc of circle {a} that leads counterclockwise from {b} to {c} meets line {d} at {x}.",
        "Let {x} be the only point of line {d} on the arc of circle {a} from {b} counterclockwise"
        " to {c}.",
    ),
    "meet_cc": (
        "Of the two points where circles {a} and {b} meet, let {x} be the one {side} {c}.",
        "Circles {a} and {b} cut each other in two points; let {x} be the one {side} {c}.",
    ),
    "meet_cc_other": (
        "Circles {a} and {b} meet at {c} and again at {x}.",
        "Let {x} be the intersection of circles {a} and {b} other than {c}.",
    ),
    "point_on_c": (
        "Choose any new point {x} on circle {a}.",
        "Let {x} be an arbitrary new point of circle {a}.",
    ),
    "point_aside": (
        "Let {x} be either of the two points on line {a} at distance {n} from {b}.",
        "Choose a point {x} on line {a} at distance {n} from {b}.",
    ),
    "polar": (
        "Let {x} be the polar of {a} with respect to circle {b}.",
        "Draw the polar {x} of {a} with respect to circle {b}.",
    ),
    "radius": (
        "Let {x} be the radius of circle {a}.",
        "Denote the radius of circle {a} by {x}.",
    ),
    "tangent_at": (
        "Draw the tangent {x} to circle {b} at {a}.",
        "Let {x} be the line that touches circle {b} at {a}.",
    ),
    "tangent_from": (
        "Of the two tangents from {a} to circle {b}, let {x} be the one whose point of contact is"
        " {side} {c}.",
        "Two lines through {a} touch circle {b}; let {x} be the one that touches it {side} {c}.",
    ),
    "touch_out": (
        "Draw a circle {y} with centre {x} and radius {n} that touches circle {a} from outside.",
        "Circle {y} about {x} has radius {n} and touches circle {a} from outside.",
    ),
    "touch_in": (
        "Draw a circle {y} with centre {x} and radius {n} that touches circle {a} from inside.",
        "Circle {y} about {x} has radius {n} and touches circle {a} from inside.",
    ),
    "touch_out_at": (
        "Draw the circle {y} with centre {x} and radius {n} that touches circle {a} from outside"
        " at {b}.",
        "Circle {y} about {x} has radius {n} and touches circle {a} from outside at {b}.",
    ),
    "touch_in_at": (
        "Draw the circle {y} with centre {x} and radius {n} that touches circle {a} from inside"
        " at {b}.",
        "Circle {y} about {x} has radius {n} and touches circle {a} from inside at {b}.",
    ),
    "touch_out_cc": (
        "Of the two circles of radius {n} that touch circles {a} and {b} from outside, let {y} be"
        " the one whose centre {x} is {side} {c}.",
        "Two circles of radius {n} touch both circle {a} and circle {b} from outside; let {y} be"
        " the one whose centre {x} is {side} {c}.",
    ),
    "triangle": ("Draw triangle {x}.", "Consider triangle {x}."),
    "equilateral": (
        "Let {z} be an equilateral triangle of side {n}, its vertices named counterclockwise.",
        "Draw an equilateral triangle {z} with sides of length {n} and vertices named"
        " counterclockwise.",
    ),
    "centroid": (
        "Let {x} be the centroid of triangle {a}.",
        "Mark the centroid {x} of triangle {a}.",
    ),
    "circumcenter": (
        "Let {x} be the circumcentre of triangle {a}.",
        "Mark the circumcentre {x} of triangle {a}.",
    ),
    "orthocenter": (
        "Let {x} be the orthocentre of triangle {a}.",
        "The altitudes of triangle {a} meet at {x}.",
    ),
    "incenter": (
        "Let {x} be the incentre of triangle {a}.",
        "The inner angle bisectors of triangle {a} meet at {x}.",
    ),
    "circumcircle_t": (
        "Let {x} be the circumcircle of triangle {a}.",
        "Draw the circumcircle {x} of triangle {a}.",
    ),
    "incircle": (
        "Let {x} be the incircle of triangle {a}.",
        "Draw the incircle {x} of triangle {a}.",
    ),
    "circumradius": (
        "Let {x} be the circumradius of triangle {a}.",
        "Denote the circumradius of triangle {a} by {x}.",
    ),
    "inradius": (
        "Let {x} be the inradius of triangle {a}.",
        "Denote the inradius of triangle {a} by {x}.",
    ),
    "polygon": (
        "Let {z} be a regular polygon with {n} sides, centre {a} and circumradius {m}, its"
        " vertices named counterclockwise.",
        "Draw a regular polygon {z} with {n} sides and circumradius {m} about the centre {a}, its"
        " vertices named counterclockwise.",
    ),
    "polygon_at": (
        "Let {z} be the regular polygon with {n} sides, centre {a} and circumradius {m} whose"
        " vertex {x} lies on the ray from {a} through {b}, its vertices named counterclockwise.",
        "Draw the regular polygon {z} with {n} sides and circumradius {m} about the centre {a},"
        " its vertices named counterclockwise and {x} on the ray from {a} through {b}.",
    ),
    "polygon_m": (
        "Let {z} be a regular polygon with {n} sides, centre {a} and circumradius {b}, its"
        " vertices named counterclockwise.",
        "Draw a regular polygon {z} with {n} sides and circumradius {b} about the centre {a}, its"
        " vertices named counterclockwise.",
    ),
    "circumcircle_g": (
        "Let {x} be the circumcircle of polygon {a}.",
        "Draw the circumcircle {x} of polygon {a}.",
    ),
}
