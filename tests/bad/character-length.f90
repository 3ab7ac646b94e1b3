! Lengths that are negative, of wrong type, or not known.
program character_length
  implicit none
  integer :: n
  character(len='a') :: s
  character*(n) t
  character(len=1.5) :: u
  character :: v*(*)
  character(len=3, foo=2) :: w
end program
