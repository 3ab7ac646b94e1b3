! Loops under an IF that asks whether they run, to which jumps come back when the answer is another one
program jump_to_a_guarded_loop
  implicit none
  integer :: n, i, s, c
  real(8) :: a(10), b(10)
  n = 3
  call take(n)
  s = 0
  c = 0
  if (1 <= n) then
 10 continue
    do i = 1, n
      s = s + ieor(i, c)
      call note(s)
    end do
    n = n - 3
    c = c + 1
    if (c < 2) goto 10
  end if
  print *, s, n, c, i
  a = 0
  b = 1
  n = 5
  call take(n)
  c = 0
  if (1 <= n) then
    if (c > 3) then
 20   n = n - 3
    end if
    do i = 1, n
      a(3) = a(3) + b(i)
    end do
    c = c + 1
    if (c < 4) goto 30
    n = 7
  end if
 30 continue
  if (n > 0 .and. c < 4) then
    if (1 <= n) then
 40   continue
      do i = 1, n
        a(4) = a(4) + b(i)
      end do
      c = c + 1
      n = n - 4
      if (c < 6) goto 40
    end if
  end if
  print *, a(3), a(4), n, c
  call of_memory(n)
contains
  subroutine of_memory(k)
    integer, intent(inout) :: k
    integer :: m
    k = 4
    m = 0
    if (1 <= k) then
      call zero(k)
      do i = 1, k
        m = m + i
      end do
    end if
    print *, k, m
  end subroutine
end program
subroutine take(n)
  integer, intent(inout) :: n
  if (n > 100) n = 2
end subroutine
subroutine note(s)
  integer, intent(in) :: s
  if (s > 20) print *, 'wrong', s
end subroutine
subroutine zero(k)
  integer, intent(inout) :: k
  k = 0
end subroutine
