! Arrays for components of another rank, and attributes that components do not have.
program p
  type owner
    integer :: i
    integer, allocatable :: v(:)
    integer :: w(3)
  end type
  type two
    integer, intent(in) :: i
    integer, optional :: k
    integer, save :: l
    integer, target :: t
  end type
  type(owner) :: a, b(3)
  integer :: n = 3
  a = owner([1, 2, 3], [1], n)
  a = owner(n, [1, 2], reshape([1, 2, 3, 4], [n - 1, n - 1]))
  forall (i = 1:3) b(i) = owner(line(n), [i], [i, i, i])
  print *, a%i, b%i
contains
  pure function line(n) result(r)
    integer, intent(in) :: n
    integer :: r(n)
    r = 1
  end function
end program
