! A procedure that is left by an alternate return may be called again.
program right
  integer :: k
  do k = 1, 3
    call s(k, *10, *20)
    print *, 'plain'
    cycle
10  print *, 'first'
    cycle
20  print *, 'second'
  end do
end program
subroutine s(n, *, *)
  integer :: n
  if (n == 1) return 1
  if (n == 2) return 2
end subroutine
