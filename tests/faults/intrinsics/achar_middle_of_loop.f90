! told at 10:24, where i = 20: The argument 'i' of 'achar' is 303, but must be from 0 to 255
program fault
  integer, parameter :: n = 40
  integer :: i, c
  character(n) :: text, upper
  text = repeat('abcdefghijklmno', 3)
  do i = 1, n
    c = iachar(text(i:i))
    if (i >= 20) c = c + 202
    upper(i:i) = achar(c)
  end do
  print *, upper
end program
