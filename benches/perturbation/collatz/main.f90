program collatz
  implicit none
  integer(8) :: k
  integer :: i, n, best, at
  best = 0; at = 0
  do i = 1, 700000
    k = i
    n = 0
    do while (k /= 1)
      if (mod(k, 2_8) == 0) then
        k = k/2
      else
        k = 3*k + 1
      end if
      n = n + 1
    end do
    if (n > best) then
      best = n
      at = i
    end if
  end do
  print *, at, best
end program
