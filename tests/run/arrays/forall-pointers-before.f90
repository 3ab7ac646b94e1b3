! FORALL assigns pointers, and by defined assignments, with the values from before the first assignment.
module parts
  type part
    integer :: k
    type(part), pointer :: next => null()
  end type
  type box
    integer :: n = 0
  end type
  interface assignment(=)
    module procedure from_box, from_integer
  end interface
contains
  pure elemental subroutine from_box(a, b)
    type(box), intent(out) :: a
    type(box), intent(in) :: b
    a%n = b%n * 10
  end subroutine
  pure elemental subroutine from_integer(a, b)
    type(box), intent(out) :: a
    integer, intent(in) :: b
    a%n = -b
  end subroutine
end module
program before
  use parts
  type(part), target :: p(5)
  type(box) :: b(6), c(2, 3)
  integer, target :: rows(4, 4)
  type row
    integer, pointer :: v(:)
  end type
  type(row) :: r(4), q(2, 2)
  integer :: i, j
  p%k = (/ (i, i = 1, 5) /)
  do i = 1, 5
    p(i)%next => p(i)
  end do
  forall (i = 1:5) p(i)%next => p(6 - i)%next
  print *, (p(i)%next%k, i = 1, 5)
  forall (i = 1:5, mod(p(i)%next%k, 2) == 1) p(i)%next => p(mod(i, 5) + 1)%next
  print *, (p(i)%next%k, i = 1, 5)
  rows = reshape((/ (i, i = 1, 16) /), (/ 4, 4 /))
  do i = 1, 4
    r(i)%v => rows(i, :)
  end do
  forall (i = 1:4) r(i)%v => r(5 - i)%v(i:)
  do i = 1, 4
    print *, lbound(r(i)%v), r(i)%v
  end do
  forall (i = 1:2)
    forall (j = 1:2)
      q(i, j)%v => r(i + j - 1)%v
    end forall
    forall (j = 1:i) q(i, j)%v => q(j, i)%v
  end forall
  print *, ((size(q(i, j)%v), q(i, j)%v(1), j = 1, 2), i = 1, 2)
  b%n = (/ (i, i = 1, 6) /)
  forall (i = 1:5) b(i) = b(i + 1)
  print *, b%n
  forall (i = 2:6) b(i) = b(i - 1)%n + i
  print *, b%n
  c%n = reshape(b%n, (/ 2, 3 /))
  forall (i = 1:2)
    where (c(i, :)%n < -40) c(i, :) = c(3 - i, :)%n
  end forall
  print *, c%n
end program
