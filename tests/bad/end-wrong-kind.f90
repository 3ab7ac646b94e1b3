! A subroutine ended as a function.
subroutine s
  implicit none
  print *, 1
end function s
program end_wrong_kind
  implicit none
  call s
end program
