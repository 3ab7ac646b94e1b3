! Formats that are wrong at run time are errors that IOSTAT tells.
program wrong_formats
  character(12), parameter :: f(16) = [character(12) :: '(', ')', 'i3', '(i)', '(f)', '(i3,,)', '(a3', '(3)', '(x3)', &
    '(i3.5)', '(''abc)', '(5hab)', '(tx)', '()', '(k5)', '(f5)']
  integer :: k, s
  character(100) :: m
  do k = 1, size(f)
    m = ''
    write (m, f(k), iostat=s) 7
    print *, f(k), s == 0
  end do
end program
