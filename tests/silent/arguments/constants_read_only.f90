! Constants are passed to procedures that only read them, also by READ from another place.
program right
  integer :: k
  call s(5, '12', k)
  print *, k
end program
subroutine s(n, text, k)
  integer :: n, k
  character(*) :: text
  integer :: i(n)
  read (text, *) i(n)
  k = i(n) + n
end subroutine
