! Counts of conditionals that nothing needs: they are made of values of dead loops, of dead stores, and of the order
! of iterations of loops that are interchanged, fused and split.
program dead
  implicit none
  integer :: n, a(20, 20)
  common /c/ a
  n = 3
  a = 0
  call stored(n)
  call guarded(n, 0)
  call guarded(n, 4)
  call ordered(n)
  call joined(n)
  call parted(n)
  call chosen(n)
  call down(n)
  print *, sum(a), a(1, 1), a(20, 20), a(3, 7)
end program

! The bound comes from an array that nothing else reads.
subroutine stored(n)
  integer :: n, b(10), k, i, s, t
  do i = 1, 10
    b(i) = n + i
  end do
  k = b(n)
  s = 0
  t = 0
  do i = 1, k
    s = s + i
    if (mod(s, n) == 1) t = t + 1
  end do
end subroutine

! A division that must not be done where the program does not do it.
subroutine guarded(n, d)
  integer :: n, d, i, k, t
  t = 0
  do i = 1, 9
    k = n
    if (d /= 0) then
      k = i/d
      if (mod(k, 2) == 1) t = t + k
    end if
    if (k > n) t = t - 1
  end do
end subroutine

! The sum goes from one iteration to the next.
subroutine ordered(n)
  integer :: n, i, j, s, t, a(20, 20)
  common /c/ a
  s = 0
  t = 0
  do i = 1, 20
    do j = 1, 20
      a(i, j) = a(i, j) + 1
      s = s + i*7 + j*j*i
      if (mod(s, n) == 1) t = t + 1
    end do
  end do
  if (s > 100000) t = 0
end subroutine

! The second loop counts by what the first one leaves.
subroutine joined(n)
  integer :: n, i, s, t, a(20, 20)
  common /c/ a
  s = 0
  t = 0
  do i = 1, 20
    a(i, 1) = a(i, 1) + i
    s = s + i*n
    if (mod(s, 7) == 2) t = t + 1
  end do
  do i = 1, 20
    a(i, 2) = a(i, 2) + 2*i
    if (mod(s + i*i, n) == 1) t = t + 1
  end do
end subroutine

! The loop is split; what is counted reads values of both parts.
subroutine parted(n)
  integer :: n, i, s, r, t, a(20, 20)
  common /c/ a
  r = 0
  t = 0
  do i = 2, 20
    a(i, 3) = a(i - 1, 3) + 1
    s = i*i - n
    a(i, 4) = a(i, 5)*2
    r = r + s
    if (mod(r, n) == s) t = t + 1
  end do
end subroutine

subroutine chosen(n)
  integer :: n, i, s, t
  s = 0
  t = 0
  do i = 1, 12
    s = s + i
    select case (mod(s, 4))
    case (0)
      t = t + 1
    case (1:2)
      if (mod(s, n) == 0) t = t + 2
    case default
      t = t - 1
    end select
  end do
end subroutine

! Negative steps, no iterations, and the value of the variable after the loop.
subroutine down(n)
  integer :: n, i, j, s, t
  s = 1
  t = 0
  do i = 9, 1, -2
    do j = i, n
      s = mod(s*3 + j, 101)
      if (s > 50) t = t + 1
    end do
    if (j == i) t = t + s
    s = s + j
    if (mod(s, 2) == 0) t = t + 1
  end do
  if (i + s > 20) t = 0
end subroutine
