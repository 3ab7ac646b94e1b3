! told at 9:23, where i = 5: The argument 'i' of 'achar' is 287, but must be from 0 to 255
program fault
  integer, parameter :: n = 5
  integer :: codes(n) = (/ 65, 97, 98, 90, 319 /), i, c
  character(n) :: text
  do i = 1, n
    c = codes(i)
    if (c >= 97) c = c - 32
    text(i:i) = achar(c)
  end do
  print *, text
end program
