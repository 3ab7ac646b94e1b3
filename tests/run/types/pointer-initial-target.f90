! Pointers that point to something from the start: variables, elements, components, characters, in modules, main
! programs and procedures.
module parts
  implicit none
  type node
    integer :: i = 3
    real :: x = 1.5
  end type node
  integer, target :: one = 7, many(10) = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  character(16), target :: text = 'forty two'
  type(node), target :: n(0:3), single
  integer, pointer :: p => one
  integer, pointer :: q => many(3)
  integer, pointer :: none => null()
  character(:), pointer :: s => text
  type(node), pointer :: w => n(2)
  real, pointer :: x => single%x
contains
  integer function next()
    integer, save, target :: count = 10
    integer, pointer :: c => count
    c = c + 1
    next = count
  end function next
end module parts

program main
  use parts
  implicit none
  real, target :: a, b(2, 3) = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  real, pointer :: pa => a, pb => b(2, 3)
  print *, p, q, associated(none), associated(p, one), associated(q, many(3))
  print *, len(s), trim(s), '|'
  print *, w%i, w%x, x
  p = 8
  q = -q
  w%i = 4
  x = 2.5
  print *, one, many(2:4), n%i, single%x
  pa = 2.0
  pb = 30.0
  print *, a, associated(pa, a), b
  print *, next(), next(), next()
  p => many(4)
  print *, p
end program main
