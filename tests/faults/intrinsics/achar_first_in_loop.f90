! told at 13:24, where i = 1: The argument 'i' of 'achar' is -3, but must be from 0 to 255
program fault
  integer, parameter :: n = 40
  integer :: i, c
  character(n) :: text, upper
  text = repeat('abcd#', 8)
  do i = 1, n
    c = iachar(text(i:i))
    if (c >= 97 .and. c <= 122) then
      c = c - 32
      if (mod(i, 5) == 1) c = c - 68
    end if
    upper(i:i) = achar(c)
  end do
  print *, upper
end program
