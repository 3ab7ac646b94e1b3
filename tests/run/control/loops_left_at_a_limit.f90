! Loops without a condition that are left when a variable passes a limit: it tells the iterations, unless it may be skipped,
! stops or wraps around.
program loops_left_at_a_limit
  implicit none
  integer :: a(40), k, n
  do k = 1, 40
    a(k) = mod(k*7, 11)
  end do
  do n = -2, 9
    print *, n, rises(n), falls(n), behind(n), other_arm(n), either(n), both(n), equal(abs(n) + 1), cycles(n), moves(n)
  end do
contains
  integer function rises(n) result(s)
    integer, intent(in) :: n
    integer :: l
    s = 0
    l = 0
    do
      l = l + 1
      if (l > n) exit
      if (a(l) > 4) s = s + a(l)
    end do
    s = s + 100*l
  end function
  integer function falls(n) result(s)
    integer, intent(in) :: n
    integer :: l
    s = 0
    l = n
    do
      if (l <= 0) exit
      if (a(l) == 7) return
      l = l - 1
      select case (a(l + 1))
      case (3)
        s = s + 1
      case (5:8)
        s = s + 2
      end select
    end do
    s = s + 100*l
  end function
  integer function behind(n) result(s)
    integer, intent(in) :: n
    integer :: l
    s = 0
    l = 3
    do
      s = ieor(s, a(abs(l) + 1))
      if (n < l) exit
      l = l + 1
    end do
  end function
  integer function other_arm(n) result(s)
    integer, intent(in) :: n
    integer :: l
    s = 0
    l = 1
    do
      if (l <= n) then
        s = s + a(l)
      else
        s = s - 1
        exit
      end if
      l = l + 1
    end do
  end function
  integer function either(n) result(s)
    integer, intent(in) :: n
    integer :: l
    s = 0
    l = 0
    do
      l = l + 1
      if (a(l) == 10 .or. l >= n) exit
      s = s + l
    end do
  end function
  integer function both(n) result(s)
    integer, intent(in) :: n
    integer :: l
    s = 0
    l = 0
    do
      l = l + 1
      if (a(l) > 4 .and. l >= n) exit
      s = s + l
    end do
  end function
  integer function equal(n) result(s)
    integer, intent(in) :: n
    integer :: l
    s = 0
    l = 0
    do
      l = l + 1
      if (l == n) exit
      s = s + a(l)
    end do
  end function
  integer function cycles(n) result(s)
    integer, intent(in) :: n
    integer :: l, m
    s = 0
    l = 0
    m = 0
    do
      m = m + 1
      if (mod(m, 3) == 0) cycle
      l = l + 1
      if (a(l) == 3) cycle
      if (l > n) exit
      s = s + m
    end do
  end function
  integer function moves(n) result(s)
    integer, intent(in) :: n
    integer :: l, limit
    s = 0
    l = 0
    limit = 2
    do
      l = l + 1
      if (l > limit) then
        if (s > 3) exit
        exit
      end if
      s = s + a(l)
      if (limit < n) limit = limit + 1
    end do
  end function
end program
