! A procedure that calls itself stands after the one that calls it first.
program m
  integer n
  n = 3
  call s(n)
end program
recursive subroutine s(n)
  integer n
  integer k
  print *, n
  if (n > 0) then
    k = n - 1
    call s(k)
  end if
end subroutine
