! A conversion that is an extension, a subroutine that is used as a function, and a region without a name.
program p
  implicit none
  integer :: i
  real :: x
  intrinsic :: random_number
!TL$ region
  i = .true.
!TL$ end region
  print *, i
  x = random_number(x)
end program
