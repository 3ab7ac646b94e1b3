! The variable of a loop as a value, in loops of every length, forwards and backwards
program lanes
  implicit none
  integer, parameter :: n = 41
  integer :: a(n), b(n), i, last, k, most
  integer(8) :: u(n), j
  real(8) :: x(n), y(n)
  real(4) :: s(n)
  k = 7
  do last = 15, n
    call clear()
    do i = 1, last
      a(i) = i
      b(i) = ieor(i + k, 5) + 3 * i
    end do
    do i = 1, last
      x(i) = i * 0.5d0
      y(i) = real(2 * i - 5, 8) + x(i)
    end do
    call told('forwards')
    do i = last, 1, -1
      a(i) = i - a(i)
      b(last + 1 - i) = i + a(last + 1 - i)
    end do
    do i = last, 2, -1
      x(i) = x(i) + (3 - i)
      s(i) = i
    end do
    do j = 3, last
      u(j) = j * 4 + last
    end do
    call told('backwards')
    most = -1
    do i = 1, last
      if (i > 4 .and. i < last - 3) then
        a(i) = i * 5
      else
        a(i) = ishft(i, 2) - ishft(b(i), -1)
      end if
      if (iand(i, 3) == 1) most = max(most, i)
      b(i) = iand(shiftr(a(i), 1), 255) + most
    end do
    do i = 1, last
      if (x(i) > 2d0) y(i) = i / x(i)
      u(i) = u(i) + i
    end do
    call told('conditions')
  end do
  do i = 2147483600, 2147483631
    a(i - 2147483600 + 1) = i
    x(i - 2147483600 + 1) = i + 10
    y(i - 2147483600 + 1) = i
  end do
  print '(8i11)', a
  print '(6f14.1)', x, y
contains
  subroutine clear()
    a = 0
    b = 0
    u = 0
    x = 0
    y = 0
    s = 0
    most = 0
  end subroutine

  subroutine told(text)
    character(*), intent(in) :: text
    integer :: i
    integer(8) :: sums(3)
    sums = 0
    do i = 1, n
      sums(1) = sums(1) + a(i) * mod(i, 5)
      sums(2) = sums(2) + b(i) * mod(i, 7)
      sums(3) = sums(3) + u(i) * mod(i, 3)
    end do
    print '(a, 2i4, 3i8, 3f12.4)', text, last, most, sums, sum(x), sum(y), sum(s)
  end subroutine
end program
