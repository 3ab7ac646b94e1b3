! Variables of derived type that cannot be in COMMON.
program p
  implicit none
  type plain
    integer :: i
  end type
  type fine
    sequence
    integer :: i
  end type
  type begun
    sequence
    integer :: i = 1
  end type
  type owner
    sequence
    integer, allocatable :: i(:)
  end type
  type(plain) :: a
  type(fine) :: b
  type(begun) :: c
  type(owner) :: d
  common /c1/ a
  common /c2/ b
  common /c3/ c
  common /c4/ d
end program
