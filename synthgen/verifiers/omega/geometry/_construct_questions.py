"""What the questions about constructions are about and how they are put; see the commands."""

from __future__ import annotations

QUESTIONS = """\
distance: PP > - 0
  What is the distance between <a> and <b>? Round to two decimals.
  Find the distance from <a> to <b>, rounded to two decimals.
  How far is <a> from <b>? Give a decimal rounded to two places.
  Compute the distance of <a> and <b> and round it to two decimals.
length: S > - 0
  What is the length of segment <a>? Round to two decimals.
  Find the length of segment <a>, rounded to two decimals.
  How long is segment <a>? Give a decimal rounded to two places.
  Compute the length of segment <a> and round it to two decimals.
angle: PPP > - 0
  What is the size of angle <abc> in degrees? Round to two decimals.
  Find the size of angle <abc> in degrees, rounded to two decimals.
  How large is angle <abc>? Give degrees as a decimal rounded to two places.
  Compute angle <abc>, which is less than a straight angle, in degrees and round it to two
    decimals.
ratio: MM > - 0
  What is the ratio of <a> to <b>? Round to two decimals.
  Find the quotient <a> / <b>, rounded to two decimals.
  How many times as large as <b> is <a>? Give a decimal rounded to two places.
  Divide <a> by <b> and round the result to two decimals.
triangle_area: T > - 0
  What is the area of triangle <a>? Round to two decimals.
  Find the area of triangle <a>, rounded to two decimals.
  How large is the area of triangle <a>? Give a decimal rounded to two places.
  Compute the area of triangle <a> and round it to two decimals.
circumradius: T > - 0
  What is the circumradius of triangle <a>? Round to two decimals.
  Find the circumradius of triangle <a>, rounded to two decimals.
  How large is the circumradius of triangle <a>? Give a decimal rounded to two places.
  Compute the circumradius of triangle <a> and round it to two decimals.
inradius: T > - 0
  What is the inradius of triangle <a>? Round to two decimals.
  Find the inradius of triangle <a>, rounded to two decimals.
  How large is the inradius of triangle <a>? Give a decimal rounded to two places.
  Compute the inradius of triangle <a> and round it to two decimals.
radius: C > - 0
  What is the radius of circle <a>? Round to two decimals.
  Find the radius of circle <a>, rounded to two decimals.
  How large is the radius of circle <a>? Give a decimal rounded to two places.
  Compute the radius of circle <a> and round it to two decimals.
polygon_area: G > - 0
  What is the area of polygon <a>? Round to two decimals.
  Find the area of polygon <a>, rounded to two decimals.
  How large is the area of polygon <a>? Give a decimal rounded to two places.
  Compute the area of polygon <a> and round it to two decimals.
"""
