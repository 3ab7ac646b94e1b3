! Attributes that exclude each other.
program attribute_conflict
  implicit none
  integer, parameter, save :: a = 1
  integer, allocatable, parameter :: b(:)
  integer, allocatable :: c(3)
  integer, intent(in) :: d
  integer, external :: e(3)
  integer, save, save :: f
  integer, frobbed :: g
  common /blk/ b2
  integer, allocatable :: b2(:)
  integer, parameter :: h
end program
