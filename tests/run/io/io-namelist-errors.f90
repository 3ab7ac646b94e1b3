! Mistakes in NAMELIST input: each is told, and what stood before it has been read.
program namelist_errors
  implicit none
  type t
    integer :: a, b(2)
    character(len=3) :: c
  end type
  type(t) :: x(2)
  integer :: i(2), k
  real :: r
  complex :: z
  character(len=4) :: ch
  namelist /g/ x, i, k, r, z, ch
  call try('i = 1, 2 &other')
  call try('= i = 1 /')
  call try('none = 1 /')
  call try('i 1, 2 /')
  call try('i%j = 1 /')
  call try('k(2) = 1 /')
  call try('i(1,2) = 1 /')
  call try('i(x) = 1 /')
  call try('i( ) = 1 /')
  call try('i(3) = 1 /')
  call try('i(0:1) = 1 /')
  call try('i(2:1) = 1 /')
  call try('i(1:2:) = 1 2 /')
  call try('i = 3*2 /')
  call try('i = 1 2 3 /')
  call try('i = 1, q /')
  call try('r = 1- /')
  call try('x(1)%b(2) = 4 x(2)%c(2:2) = "mn" /')
contains
  subroutine try(text)
    character(len=*), intent(in) :: text
    character(len=80) :: message
    character(len=60) :: record
    integer :: code
    i = -1
    k = -1
    record = '&g ' // text
    message = 'fine'
    read (record, nml=g, iostat=code, iomsg=message)
    print '(i5, 2i3, 1x, a)', merge(1, 0, code > 0), i(1), k, record(1:40)
  end subroutine
end program
