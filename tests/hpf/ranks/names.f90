! Memory with several names: EQUIVALENCE, pointers, sequence association.
program names
  integer, parameter :: n = 8
  real, target :: a(n)
  real :: b(n), c(2, 4), d(n)
  real, pointer :: p(:)
  equivalence (b, c)
!HPF$ SEQUENCE :: b, c
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ DISTRIBUTE d(CYCLIC)
  integer :: i
  p => a(2:8:2)
  do i = 1, n
    a(i) = i
    b(i) = 10 * i
    d(i) = 0
  end do
  p = p + 100
  c(2, :) = -c(2, :)
  do i = 1, n
    d(i) = a(i) + b(i)
  end do
  call matrix(d, 2, 4)
  call matrix(d(3), 3, 2)
  print '(8f8.1)', a, b, d
contains
  subroutine matrix(m, k, l)
    integer, intent(in) :: k, l
    real :: m(k, l)
!HPF$ DISTRIBUTE m(*, BLOCK)
    integer :: i, j
    do j = 1, l
      do i = 1, k
        m(i, j) = m(i, j) + i * 1000 + j
      end do
    end do
  end subroutine
end program
