! NAMELIST output with DELIM= and DECIMAL=, and read back.
program modes
  implicit none
  type point
    integer :: n
    real :: x(2)
    character(4) :: name
  end type
  type(point) :: p, q(2)
  integer :: k, i(3)
  character(6) :: c(2)
  complex :: z
  logical :: l
  character(60) :: line
  character(12), parameter :: delims(3) = ['none        ', 'quote       ', 'apostrophe  ']
  namelist /all/ i, c, z, l, p, q
  do k = 1, 3
    call fill
    open (10, status='scratch', delim=delims(k))
    write (10, all)
    rewind (10)
    do
      read (10, '(a)', end=1) line
      print '(a)', trim(line)
    end do
1   if (k > 1) then
      rewind (10)
      call clear
      read (10, all)
      print *, i, c, z, l
      print *, p, q
    end if
    close (10)
  end do
contains
  subroutine fill
    i = [1, -2, 3]
    c = ['it''s  ', 'a "b" ']
    z = (1.5, -2.0)
    l = .true.
    p = point(7, [0.5, 1e10], 'here')
    q = point(8, [1.0, 2.0], 'q')
    q(2)%x(2) = -9
  end subroutine
  subroutine clear
    i = 0
    c = ' '
    z = 0
    l = .false.
    p = point(0, 0.0, ' ')
    q = p
  end subroutine
end program
