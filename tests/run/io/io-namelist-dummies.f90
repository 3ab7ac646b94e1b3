! A NAMELIST group of dummy arguments: READ changes them when the statement ends.
program p
 integer :: i=3; real :: x=1.5
 call s(i,x)
 print *, i, x
contains
 subroutine s(i,x)
 integer :: i; real :: x
 namelist /g/ i, x
  character(80) :: b(4)
  b=''; b(1)='&g i=7, x=2.5 /'
  read(b,g)
  print *, i, x
 end subroutine
end program
