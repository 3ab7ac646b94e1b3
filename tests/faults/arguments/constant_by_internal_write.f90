! told at 7:10: Dummy argument 't' is associated with a constant or expression
program fault
  call s('abc')
end program
subroutine s(t)
  character(3) :: t
  write (t, '(I3)') 5
end subroutine
