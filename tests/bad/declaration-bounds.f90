! Bounds in declarations that make no sense.
program declaration_bounds
  implicit none
  integer :: a(1.5)
  integer :: b('x')
  integer :: c(:)
  integer :: d(*)
  integer :: e(3:)
  integer :: f(.true.:2)
  integer :: g(2, *)
  integer :: h(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)
  character(len=*) :: s
end program
