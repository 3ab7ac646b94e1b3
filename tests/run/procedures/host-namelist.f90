! A NAMELIST group of the host in an internal procedure, which names none of its objects.
program p
 integer :: i=3; real :: x=1.5
 namelist /g/ i, x
 call s
 print *, i, x
contains
 subroutine s
  character(80) :: b(4)
  write(*,g)
  b=''; b(1)='&g i=7, x=2.5 /'
  read(b,g)
 end subroutine
end program
