! Sums, products, the greatest and the least of many numbers: any order gives the same, as all of them are small whole numbers
program partial_sums
  implicit none
  integer, parameter :: n = 61
  real(8) :: a(n), b(n)
  real :: c(n)
  integer :: i, k
  do i = 1, n
    a(i) = mod(i * 7, 13) - 5
    b(i) = mod(i * 5, 11) - 4
    c(i) = mod(i * 3, 7)
  end do
  do k = 0, n, 5
    call combine(a, b, c, k)
  end do
contains
  subroutine combine(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real, intent(in) :: c(n)
    real(8) :: s, d, q, m, l
    real :: t
    integer(8) :: bits
    integer :: i
    s = 1; d = 2; q = 3; m = -100; l = 100; t = 0.5
    bits = 0
    do i = 1, n
      s = s + a(i) - b(i)
    end do
    do i = n, 1, -1
      d = d - a(i) * b(i)
    end do
    do i = 1, n
      if (a(i) > 0) then
        q = q + b(i)
      end if
    end do
    do i = 1, n
      m = max(m, a(i) + b(i))
    end do
    do i = 1, n
      l = min(l, b(i) - a(i))
    end do
    do i = 1, n
      t = t + c(i)
    end do
    do i = 1, n
      if (a(i) > b(i)) bits = bits + 3
    end do
    print '(i3,7f9.1,i5)', n, s, d, q, m, l, t, dot_product(a, b), bits
  end subroutine
end program
