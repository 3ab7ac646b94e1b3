! INTRINSIC of a name that is none, EXTERNAL and INTRINSIC at once.
program intrinsic_not_one
  implicit none
  intrinsic sin, nosuchthing
  external cos
  intrinsic cos
  double precision :: cos
end program
