program include_lines
  include 'include/outer.inc'
  Include "include/cycle.inc"
  include 'include/missing.inc'
  include 'include'
  include '/dev/zero'
  include 'a' ; x = 1
  include = 3
end program
