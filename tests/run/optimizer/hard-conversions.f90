! Conversions between integers and reals, shifts and products with constants, in loops over neighbours
module conversions
  implicit none
  integer, parameter :: n = 103
  real(8) :: a(n), e(n)
  real(4) :: f(n), g(n)
  integer :: k(n), j(n), h(n)
  integer(8) :: w(n), v(n)
contains
  subroutine convert()
    integer :: i
    do i = 1, n
      k(i) = int(a(i))
    end do
    do i = 1, n
      j(i) = int(f(i)) * 6 - 2
    end do
    do i = 1, n
      e(i) = h(i) * 0.5d0
    end do
    do i = 1, n
      g(i) = h(i)
    end do
    do i = 1, n
      v(i) = int(a(i), 8) + w(i) * 12
    end do
  end subroutine

  subroutine more()
    integer :: i
    do i = 1, n
      f(i) = real(a(i), 4)
    end do
    do i = 1, n
      a(i) = f(i)
    end do
    do i = 1, n
      h(i) = ior(ishft(k(i), 3), ishft(j(i), -2)) + shifta(k(i), 5)
    end do
    do i = 1, n
      k(i) = ishft(k(i), -32) + ishft(j(i), 13) - mod(h(i), 1000) * 7
    end do
    do i = 1, n
      j(i) = mod(k(i), 1000) * mod(h(i), 1000)
    end do
    do i = 1, n
      w(i) = ishft(v(i), 5) - shifta(v(i), 2) + iand(ishft(v(i), -60), 15_8)
    end do
  end subroutine
end module

program main
  use conversions
  implicit none
  integer :: i
  do i = 1, n
    a(i) = (i - 50) * 37911.73d0 * i
    f(i) = (i - 50) * 11.37 * i
    h(i) = (i - 40) * 12345678
    w(i) = (i - 40) * 123456789012_8
  end do
  a(17) = -0.0d0
  a(18) = -0.9d0
  a(19) = 2147483647.5d0
  a(20) = -2147483648.9d0
  f(17) = -0.0
  f(16) = 2000.5
  call convert()
  print '(5i12)', k
  print '(5i12)', j
  print '(5es24.16)', e
  print '(5es16.8)', g
  print '(5i22)', v
  call more()
  print '(5es16.8)', f
  print '(5es24.16)', a
  print '(5i12)', h
  print '(5i12)', k
  print '(5i12)', j
  print '(5i22)', w
end program
