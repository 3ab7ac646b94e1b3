! Pointers to arrays: sections, strides, bounds, remapping, ASSOCIATED.
program pointers
  implicit none
  real, target :: a(10), m(4, 5)
  integer, target :: n
  integer, pointer :: pn, pm
  real, pointer :: p(:), q(:), r(:, :), s
  character(8), target :: text
  character(:), pointer :: c
  type pair
    integer :: i
    double precision :: d
  end type
  type(pair), target :: pairs(4)
  double precision, pointer :: d(:)
  integer :: i, j
  n = 5
  pn => n
  pn = pn + 1
  print *, n, associated(pn), associated(pn, n)
  allocate (pm)
  pm = 7
  n = pm + pn
  print *, n, associated(pn, pm)
  deallocate (pm)
  print *, associated(pm)
  do i = 1, 10
    a(i) = i
  end do
  p => a
  print *, lbound(p), ubound(p), p
  p => a(2:10:3)
  print *, size(p), p
  p = p * 10
  print *, a
  q => p(3:1:-1)
  print *, q, lbound(q, 1), ubound(q, 1)
  q(2) = -1
  print *, a(5), p(2)
  p(0:) => a(4:6)
  print *, lbound(p), ubound(p), p(0), p(2)
  do j = 1, 5
    do i = 1, 4
      m(i, j) = 10 * i + j
    end do
  end do
  r => m(2:4:2, 1:5:2)
  print *, shape(r), r
  r(2, :) = 0
  print *, m(4, :)
  q => m(3, :)
  print *, q, sum(q)
  r(1:2, 1:3) => a(1:6)
  print *, r(2, 1), r(1, 3), shape(r)
  s => m(3, 4)
  s = 99
  print *, m(3, 4), associated(s, m(3, 4)), associated(s, m(3, 3))
  do i = 1, 4
    pairs(i) = pair(i, i / 2d0)
  end do
  d => pairs%d
  print *, d, sum(d)
  d(2:3) = 0
  print *, pairs%d, pairs%i
  print *, associated(p, a(4:6)), associated(p, a(4:7)), associated(p, a)
  allocate (p(3), source=[1.0, 2.0, 3.0])
  q => p
  p(2) = 20
  print *, q
  deallocate (p)
  nullify (q)
  print *, associated(p), associated(q)
  call grow(q, 4)
  print *, size(q), q
  call grow(q, 6)
  print *, size(q), q
  q = q + 1
  call show(q(1:6:2))
  print *, q
  deallocate (q)
contains
  subroutine grow(x, n)
    real, pointer :: x(:)
    integer, intent(in) :: n
    real, pointer :: y(:)
    integer :: k
    allocate (y(n))
    y = 0
    if (associated(x)) then
      do k = 1, min(n, size(x))
        y(k) = x(k)
      end do
      deallocate (x)
    else
      y = 1
    end if
    x => y
  end subroutine
  subroutine show(x)
    real, intent(inout) :: x(:)
    print *, x
    x = -x
  end subroutine
end program
