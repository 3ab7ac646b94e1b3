! DO without control, left by EXIT, GOTO and RETURN.
program do_infinite
  implicit none
  integer :: i
  integer, external :: collatz
  i = 1
  do
    i = i * 2
    if (i > 1000) exit
  end do
  print *, i
  do
    i = i - 7
    if (i < 0) go to 10
  end do
10 print *, i
  print *, collatz(27), collatz(1), collatz(97)
end program
integer function collatz(start)
  implicit none
  integer, intent(in) :: start
  integer :: n
  n = start
  collatz = 0
  do
    if (n == 1) return
    if (mod(n, 2) == 0) then
      n = n / 2
    else
      n = 3 * n + 1
    end if
    collatz = collatz + 1
  end do
end function
