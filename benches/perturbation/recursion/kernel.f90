recursive integer function fibonacci(n) result(f)
  implicit none
  integer, intent(in) :: n
  if (n < 2) then
    f = n
  else
    f = fibonacci(n - 1) + fibonacci(n - 2)
  end if
end function

recursive integer function ackermann(m, n) result(a)
  implicit none
  integer, intent(in) :: m, n
  if (m == 0) then
    a = n + 1
  else if (n == 0) then
    a = ackermann(m - 1, 1)
  else
    a = ackermann(m - 1, ackermann(m, n - 1))
  end if
end function
