! INQUIRE by file: every specifier for a file that is closed, and for one that is not there.
program inquire_file
  logical :: l(3)
  integer :: n(5)
  character(12) :: w(14)
  open (30, file='iq.dat', status='replace', access='direct', recl=16, form='unformatted')
  write (30, rec=3) 1, 2, 3, 4
  close (30)
  call ask('iq.dat')
  call ask('none.dat')
  open (30, file='iq.dat', access='direct', recl=16, form='unformatted')
  read (30, rec=2) n(1)
  call ask('iq.dat')
  close (30, status='delete')
contains
  subroutine ask(name)
    character(*), intent(in) :: name
    w = '?'
    n = -9
    inquire (file=name, exist=l(1), opened=l(2), named=l(3), number=n(1), recl=n(2), nextrec=n(3), size=n(4), &
      access=w(1), sequential=w(2), direct=w(3), form=w(4), formatted=w(5), unformatted=w(6), &
      position=w(8), read=w(10), write=w(11), readwrite=w(12), pad=w(14))
    print '(3l2,i4,3i5)', l, min(n(1), 99), n(2:4)
    print '(7(a,1x))', w
  end subroutine
end program
