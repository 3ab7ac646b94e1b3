program right
  print *, total(5)
contains
  recursive integer function total(n) result(t)
    integer, intent(in) :: n
    integer :: parts(100000), k
    parts(1) = n
    k = 0
    if (n > 0) k = total(n - 1)
    parts(2) = k
    t = parts(1) + parts(2)
  end function
end program
