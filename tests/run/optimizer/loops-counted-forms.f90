! Counted loops in all forms: GOTO with the question at the beginning or end, DO WHILE, DO with EXIT; up and down, no iteration, one
! iteration, left early, with limits in COMMON, and the variable's value after the loop.
module limits
  implicit none
  integer :: most = 7
contains
  subroutine raise()
    most = most + 1
  end subroutine
end module

program forms
  use limits
  implicit none
  integer :: a(20), n, i, k
  a = 0
  do n = 0, 5, 5
    call at_end(a, n)
    call at_begin(a, n)
    call advanced(a, n)
    call down(a, n)
    call below(a, n)
    call endless(a, n)
    call early(a, n)
  end do
  ! The limit is in a module, and does not change; then a call changes it.
  a = 0
  i = 1
  do while (i <= most)
    a(i) = i
    i = i + 1
  end do
  print *, i, sum(a)
  i = 1
  k = 0
  do while (i <= most)
    k = k + most
    if (most < 12) call raise()
    i = i + 1
  end do
  print *, i, k
  call nested(a)
  call hollow(i, k)
  call edges()
contains
  subroutine at_end(a, n)
    integer :: a(*), n, i
    i = 1
10  a(i) = 2 * i
    i = i + 1
    if (i <= n) goto 10
    print *, 'end', n, i, a(i - 1)
  end subroutine

  subroutine at_begin(a, n)
    integer :: a(*), n, i
    i = 1
10  if (i .gt. n) goto 20
    a(i) = 3 * i
    i = i + 1
    goto 10
20  print *, 'begin', n, i, a(1)
  end subroutine

  subroutine advanced(a, n)
    integer :: a(*), n, i
    i = 0
10  continue
    i = i + 2
    if (i > n) goto 20
    a(i) = 4 * i
    goto 10
20  continue
    print *, 'advanced', n, i, a(2)
  end subroutine

  subroutine down(a, n)
    integer :: a(*), n, i
    i = n
    do while (.not. (i < 2))
      a(i) = 5 * i
      i = i - 1
    end do
    print *, 'down', n, i, a(3)
  end subroutine

  subroutine below(a, n)
    integer :: a(*), n, i
    i = 1
    do while (n > i)
      a(i) = 6 * i
      i = i + 1
    end do
    print *, 'below', n, i, a(1)
  end subroutine

  subroutine endless(a, n)
    integer :: a(*), n, i, s
    i = 1
    s = 0
    do
      if (i > n) exit
      s = s + a(i)
      i = i + 1
    end do
    print *, 'endless', n, i, s
    i = 0
    s = 0
    do
      i = i + 1
      if (i >= n) exit
      if (a(i) == 18) cycle
      s = s + a(i)
    end do
    print *, 'cycled', n, i, s
  end subroutine

  subroutine early(a, n)
    integer :: a(*), n, i
    i = 1
    do while (i <= n)
      if (a(i) == 18) exit
      a(i) = a(i) + 1
      i = i + 1
    end do
    print *, 'early', n, i
    i = 1
10  if (a(i) == 15) return
    i = i + 1
    if (i <= n) goto 10
    print *, 'not left', n, i
  end subroutine

  subroutine nested(a)
    integer :: a(*), i, j, s
    s = 0
    j = 1
20  i = j
10  s = s + i * j
    i = i + 1
    if (i <= 4) goto 10
    j = j + 1
    if (j <= 6) goto 20
    print *, 'nested', i, j, s
    i = 1
30  if (a(i) > 1000) goto 40
    a(i) = a(i) + 400
    if (a(i) < 900) goto 30
    i = i + 1
    if (i <= 3) goto 30
40  print *, 'two ways back', i, a(1), a(2), a(3)
  end subroutine

  ! Nothing is left of the loops but the values of their variables, which begin where they stand.
  subroutine hollow(m, n)
    integer :: m, n, i, k
    k = 0
    do i = 1, 9
      k = k + mod(i * m, 7)
    end do
    do while (k > 0)
      k = k - 5
    end do
    print *, 'hollow', k
    do n = n, 1, -4
    end do
    print *, n
  end subroutine

  ! The outermost integers.
  subroutine edges()
    integer :: i, n, k
    n = -huge(1) - 1
    i = -huge(1)
    k = 0
    do while (i < n)
      k = k + 1
      i = i + 1
    end do
    print *, k, i
    n = huge(1) - 1
    i = n - 2
    do while (i <= n)
      k = k + 1
      i = i + 1
    end do
    print *, k, i
  end subroutine
end program
