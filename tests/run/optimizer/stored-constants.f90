! Elements that were just set to a constant, alone or in a vector, and their neighbours.
program stored_constants
  implicit none
  integer, parameter :: n = 24
  real(8) :: a(n, 3), t
  real(4) :: b(n)
  integer :: k(n), i, j

  do i = 1, n
    a(i, :) = i
    b(i) = -i
    k(i) = 100 * i
  end do
  do i = 1, 3
    a(5:14, i) = 0.5d0
    t = a(4, i) + a(5, i) + a(13, i) + a(14, i) + a(15, i)
    a(6, i) = t
    a(7, i) = a(6, i) + a(7, i) - a(8, i)
    a(16:17, i) = a(6, i)
    a(18, i) = a(15, i) + a(16, i) + a(17, i) + a(18, i)
  end do
  print '(6f8.2)', a

  ! A later store may be to the same element.
  j = n / 4
  b(3:10) = 1.5
  b(j) = 2.5
  print '(8f6.1)', b(2) + b(3), b(5), b(6), b(10) + b(11)
  b(j:j + 3) = 3.5
  print '(8f6.1)', b(4:11)

  ! Integers, with backward vectors and a step.
  do i = 12, 5, -1
    k(i) = 7
  end do
  k(6) = k(5) + k(12) + k(4) + k(13)
  k(2:10:2) = 9
  print '(12i6)', k(2) + k(3), k(4) + k(5), k(6) + k(10) + k(11)
  print '(12i6)', k
  call overwritten(a(:, 1), a(:, 1))
  call left(k, n)

contains

  ! The dummies are the same array; neither is stored to.
  subroutine overwritten(x, y)
    real(8), intent(in) :: x(:), y(:)
    real(8) :: own(8)
    own = 2d0
    own(3:4) = x(5) + y(16)
    print '(8f8.2)', own(2) + own(3), own(4) + own(5), own(1:2)
  end subroutine

  ! A loop that is left early stores in a nest whose addresses do not change.
  subroutine left(k, n)
    integer, intent(in) :: n
    integer, intent(inout) :: k(n)
    integer :: i, j, t
    do i = 2, n
      t = k(i)
      j = i - 1
      do while (j >= 1)
        if (k(j) <= t) exit
        k(j + 1) = k(j)
        j = j - 1
      end do
      k(j + 1) = t
    end do
    print '(12i6)', k
  end subroutine
end program
