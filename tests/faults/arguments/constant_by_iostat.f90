! told at 7:38: Dummy argument 'e' is associated with a constant or expression
program fault
  call s(0)
end program
subroutine s(e)
  integer :: e
  open (20, status='scratch', iostat=e)
  close (20)
end subroutine
