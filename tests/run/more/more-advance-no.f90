! Non-advancing output builds one line from several statements.
program more_advance_no
  implicit none
  integer :: i
  do i = 1, 5
    write (*, '(i2)', advance='no') i
  end do
  write (*, *)
  write (*, '(a)', advance='no') 'left'
  write (*, '(a)') '-right'
  print '(3(a, 1x))', 'print', 'with', 'format'
end program
