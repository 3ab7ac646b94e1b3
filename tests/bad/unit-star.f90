! The unit * in statements that need the number of a unit.
program unit_star
  implicit none
  logical :: l
  integer :: i
  open (*, file='a')
  close (*)
  rewind (*)
  backspace (unit=*)
  endfile (*)
  flush (*)
  inquire (*, exist=l)
  wait (*)
  read (*, *) i
  write (unit=*, fmt=*) i, l
  close (unit=6, status='keep')
end program
