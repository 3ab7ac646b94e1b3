! A dummy argument that stands for a variable is read into.
program right
  integer :: k, v(3)
  v = 0
  call s('12', k)
  call s('13', v(2))
  print *, k, v
end program
subroutine s(text, k)
  character(*) :: text
  integer :: k
  read (text, *) k
end subroutine
