! A comment that turns the direction of the text that follows it.
program bytes_bidi
  implicit none
  integer :: i
  i = 1 ! ‮ } 2 = i
  print *, i
end program
