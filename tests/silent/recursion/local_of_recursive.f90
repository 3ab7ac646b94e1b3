! Each call of a recursive procedure has its own variables.
program right
  print *, f(5)
contains
  recursive integer function f(n) result(r)
    integer, intent(in) :: n
    integer :: part(n), i
    do i = 1, n
      part(i) = i
    end do
    r = sum(part)
    if (n > 1) r = r + f(n - 1)
  end function
end program
