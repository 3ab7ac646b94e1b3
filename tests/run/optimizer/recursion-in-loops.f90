! Loops that call recursive procedures, of which the first level may stand in the loop
program recursion
  implicit none
  integer :: i, n, depth
  real(8) :: s, t, a(50)
  s = 0
  t = 1
  depth = 0
  do i = 1, 50
    a(i) = mod(i * 7, 11) / 2d0
  end do
  do i = 1, 50
    call update(a(i), s, t)
  end do
  print '(2es24.16, i6)', s, t, depth
  n = 0
  do i = 1, 20
    n = n + gcd(i * 12, 18 + i)
  end do
  print *, n
  do i = 1, 4
    call countdown(i)
  end do
  do i = 1, 6
    n = i
    call halves(n, i)
    print '(2i5)', i, n
  end do
  do i = 0, 5
    print '(i3, i6, i8)', i, fibonacci(3 * i), leaves(i)
  end do
contains
  recursive subroutine update(x, s, t)
    real(8), intent(in) :: x
    real(8), intent(inout) :: s, t
    if (x > 2) call update(x - 1, s, t)
    s = s + x
    t = t * 0.5d0 + x
    depth = depth + 1
  end subroutine
  recursive integer function gcd(a, b) result(g)
    integer, intent(in) :: a, b
    if (b == 0) then
      g = a
      return
    end if
    g = gcd(b, mod(a, b))
  end function
  recursive subroutine countdown(k)
    integer, intent(in) :: k
    integer :: here
    here = k * k
    if (k == 0) return
    if (mod(k, 2) == 0) then
      call countdown(k - 1)
      print '(a, 2i5)', 'even', k, here
    else
      print '(a, 2i5)', 'odd ', k, here
    end if
  end subroutine
  recursive subroutine halves(n, most)
    integer, intent(inout) :: n
    integer, intent(in) :: most
    n = n * 3 + most
    if (n < 100) call halves(n, most)
    n = n - 1
  end subroutine
  recursive integer function fibonacci(n) result(f)
    integer, intent(in) :: n
    f = n
    if (n >= 2) f = fibonacci(n - 1) + fibonacci(n - 2)
  end function
  recursive integer function leaves(n) result(f)
    integer, intent(in) :: n
    integer :: k
    f = 1
    do k = 1, n - 1
      f = f + leaves(k)
    end do
  end function
end program
