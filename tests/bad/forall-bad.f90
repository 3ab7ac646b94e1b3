! FORALL with bad indices, statements and functions.
program forall_bad
  implicit none
  integer :: a(3), i, k
  real :: x
  forall (x = 1:3) a(1) = 1
  forall (i = 1:3, i = 1:3) a(i) = 1
  forall (i = 1:3) k = i
  forall (i = 1:3)
    print *, i
  end forall
  forall (i = 1:3) i = 2
  forall (i = 1, 3) a(i) = 1
  forall (i = 1:3) a(i) = impure(i)
contains
  integer function impure(n)
    integer, intent(in) :: n
    impure = n
    print *, n
  end function impure
end program
