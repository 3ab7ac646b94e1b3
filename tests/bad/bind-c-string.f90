! A string that C does not have.
subroutine of_c(text, n) bind(c)
  character(*) :: text
  integer :: n
  print *, text, n
end subroutine
end
