! Codes of characters that change under conditions and stay codes.
program right
  integer, parameter :: n = 60
  integer :: i, c, d
  character(n) :: text, upper, other
  text = repeat('az AZ{', 10)
  do i = 1, n
    c = iachar(text(i:i))
    d = 255
    if (c >= 97 .and. c <= 122) then
      c = c - 32
    else if (c >= 65) then
      d = c + 128
    end if
    upper(i:i) = achar(c)
    other(i:i) = achar(d)
  end do
  print *, upper(:12), iachar(other(1:1)), iachar(other(4:4))
end program
