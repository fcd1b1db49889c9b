/// A type of number in which an engine holds sites.
pub trait Site: Copy {
    /// The number of the site.
    fn index(self) -> usize;

    /// The site with a number, which the type must have room for.
    fn at(index: usize) -> Self;
}

macro_rules! site {
    ($number:ty) => {
        impl Site for $number {
            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn at(index: usize) -> $number {
                index as $number
            }
        }
    };
}

site!(u16);
site!(u32);
site!(usize);
