! Specifiers with values of a wrong form.
program specifier_values
  implicit none
  logical :: l
  integer :: i
  open (1, file=*)
  read (5, *, iostat=*) i
  inquire (1, exist=*)
  open (newunit=*, file='x')
  inquire (unit=1, exist=l)
end program
