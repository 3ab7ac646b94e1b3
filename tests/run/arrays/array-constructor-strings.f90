! Array constructors of strings whose length is computed, and with a type.
program p
  implicit none
  integer :: i, n
  character(len=3) :: a(4)
  n = 4
  a = [(repeat(achar(96 + i), 3), i=1,4)]
  print *, a
  call show([(a(i), i=4,1,-1)])
  a(1:3) = [character(len=2) :: 'x', 'yz', 'long word']
  print *, a, len([character(len=6) :: 'x', 'yz'])
  call same('ab', 'cd')
  print *, [real :: 1, 2, 3], [integer(8) :: 1.5, 2.5], [complex :: 1, (2, 3)]
  print *, [((i*10 + n, n=1,2), i=1,3)]
  print *, [integer ::], size([real ::])
  print *, [(i, i=1,3), 10, (i*i, i=2,4)]
contains
  subroutine show(s)
    character(len=*), intent(in) :: s(:)
    integer :: k
    print *, size(s), len(s), ('<'//s(k)//'>', k=1,size(s))
  end subroutine
  subroutine same(s, t)
    character(len=*), intent(in) :: s, t
    integer :: k
    call show([s, t, s])
    call show([(s//t, k=1,2)])
  end subroutine
end program
